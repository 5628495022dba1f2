import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ServerMessage } from '../live/messages'
import { listQuery } from '../web/lists'
import { useLiveMessages } from '../web/live'
import { useWithForeseen } from '../web/optimistic'
import { toast } from '../web/toast'
import { client } from '../web/trpc'
import { applyReportChange } from './changes'
import type { Report, ReportPage } from './inputs'

type Page = ReportPage & { boardId: number }

const reportQuery = (page: Page) =>
  listQuery<Report>(
    page.boardId,
    ['report', JSON.stringify(page)],
    (signal) =>
      client.time.report.query(page, { signal }).catch((error: unknown) => {
        if (!signal.aborted) toast({ variant: 'destructive', title: 'Error loading time entries' })
        throw error
      }),
    applyReportChange,
  )

/** What changes the time of a board: entries, and tasks that go with theirs, come back, or are named anew. */
const CONCERNING = /^time_entry_|^(task_deleted|new_task|task_updated)$/

/** One page of a board's time, read anew as it is shown and as something changes in it. */
export function useReport(page: Page) {
  const { data, isError, isFetching, refetch } = useQuery({
    ...reportQuery(page),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  useLiveMessages((message: ServerMessage) => {
    if ('boardId' in message.payload && message.payload.boardId === page.boardId && CONCERNING.test(message.type)) void refetch()
  })
  const report = useWithForeseen(page.boardId, data, applyReportChange)
  return { report, isError, isFetching, retry: () => void refetch() }
}
