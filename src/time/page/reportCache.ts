import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazy } from '../../lazy'
import type { ServerMessage } from '../../protocol'
import { client } from '../../web/client'
import { liveKey, liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { useEveryLiveMessage, useLiveMessages } from '../../web/live/socket'
import { queryClient, restartRead } from '../../web/queryClient'
import { reasonOr } from '../../web/refusal'
import { throttled } from '../../web/scheduling'
import type { ToastText } from '../../web/toast'
import { LOADING_FAILED } from '../limits'
import { CURRENCY, type RateChange, type Report, type ReportPage, type TimeEntryMessage } from '../schema'
import { isLogged, loggedMinutes } from './predictions'

type Page = ReportPage & { boardId: number }

const KIND = 'report'

function reportQuery(page: Page) {
  const read = (signal: AbortSignal) => client.time.report.query(page, { signal })
  const query = liveQuery<Report>({ key: [page.boardId, KIND, JSON.stringify(page)], read, apply: applyToReport })
  return { ...query, meta: { ...query.meta, failure: { title: LOADING_FAILED } } }
}

export function useReport(page: Page) {
  const { boardId } = page
  const query = { ...reportQuery(page), staleTime: 0, placeholderData: keepPreviousData }
  const { data: report, isPlaceholderData, error, isError, isFetching, refetch } = useLive<Report>(query, applyToReport)
  const [readAgain] = useState(() =>
    throttled(() => queryClient.refetchQueries({ queryKey: liveKey(boardId, KIND), type: 'active' })),
  )
  useEveryLiveMessage((message) => concernsReport(message, boardId, report) && readAgain())
  return { report, isOfEarlier: isPlaceholderData, error, isError, isFetching, retry: () => void refetch() }
}

/** Shows at once, until the report is read again. */
export const applyToReport = (report: Report, change: Change): Report => applyChange(reportReducers, report, change)

const reportReducers: Reducers<Report, TimeEntryMessage> = {
  time_entry_updated(report, { entry }) {
    const before = report.rows.find(({ id }) => id === entry.id)
    if (!before) return report
    const minutes = report.minutes + loggedMinutes(entry) - loggedMinutes(before)
    const exportable = report.exportable + Number(isLogged(entry)) - Number(isLogged(before))
    // Only the server knows the new amount.
    const rows = report.rows.map((row) => (row.id === entry.id ? { ...entry, cents: null } : row))
    return { ...report, minutes, exportable, rows }
  },
  time_entry_deleted(report, { entryId }) {
    const deleted = report.rows.find(({ id }) => id === entryId)
    if (!deleted) return report
    return {
      ...report,
      entries: report.entries - 1,
      exportable: report.exportable - Number(isLogged(deleted)),
      minutes: report.minutes - loggedMinutes(deleted),
      rows: report.rows.filter((row) => row !== deleted),
    }
  },
}

/** A join counts too: rates do not change the board's version, so a changed one may have been missed. */
const CHANGES_SUMS =
  /^time_entry_|^(task_deleted|new_task|board_member_added|board_member_removed|board_handed_over|rate_changed|user_profile_updated|joined_board)$/

/** A changed task matters only by its title. */
export function concernsReport(message: ServerMessage, boardId: number, report: Report | undefined): boolean {
  if (!('boardId' in message.payload) || message.payload.boardId !== boardId) return false
  if (message.type !== 'task_updated') return CHANGES_SUMS.test(message.type)
  const { id, title } = message.payload.task
  const shown = [...(report?.byTask ?? []), ...(report?.rows ?? []).map(({ taskId, task }) => ({ taskId, title: task }))]
  return shown.some((task) => task.taskId === id && task.title !== title)
}

const ratesQuery = (boardId: number) =>
  queryOptions({
    queryKey: ['rates', boardId],
    queryFn: ({ signal }) => client.time.rates.query({ boardId }, { signal }),
    staleTime: 0,
    meta: { failure: { title: LOADING_FAILED } },
  })

export function useRates(boardId: number) {
  const { data: rates, error, isError, isFetching, refetch } = useQuery(ratesQuery(boardId))
  // A rate may have changed while the socket was away.
  const readAgain = (payload: { boardId: number }) => {
    if (payload.boardId === boardId) void queryClient.invalidateQueries(ratesQuery(boardId))
  }
  useLiveMessages({ rate_changed: readAgain, joined_board: readAgain, board_handed_over: readAgain })
  return { rates, error, isError, isFetching, retry: () => void refetch() }
}

const notSaved = (error: unknown): ToastText => ({
  title: 'Update Failed',
  description: reasonOr(error, 'Could not update the hourly rate. Please try again.'),
})

/** Not predicted: only the server knows the new amounts. */
export function useSetRate(boardId: number) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (change: RateChange) => client.time.setRate.mutate({ boardId, ...change }),
    onSuccess(rates) {
      const { queryKey } = ratesQuery(boardId)
      queryClient.setQueryData(queryKey, rates)
      restartRead(queryKey)
    },
    meta: { failure: notSaved },
  })
  const run = (change: RateChange) => mutateAsync(change).catch(() => undefined)
  return { run, isPending }
}

const amountFormat = lazy(() => new Intl.NumberFormat('en-CA', { style: 'currency', currency: CURRENCY }))

export const amountText = (cents: number): string => amountFormat().format(cents / 100)
