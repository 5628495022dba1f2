import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWithForeseen } from '../../../boards/page/boardMutation'
import { listQuery, listsOf } from '../../../web/liveLists'
import { useLiveMessages } from '../../../web/socket'
import { READ_EVERY, throttled } from '../../../web/throttled'
import { client, queryClient } from '../../../web/trpc'
import { LOADING_FAILED } from '../../entries/schema'
import { applyReportChange, concernsReport } from '../../timers/page/changes'
import type { Report, ReportPage } from '../schema'

type Page = ReportPage & { boardId: number }

/** Each page of each filter. */
const KIND = 'report'

function reportQuery(page: Page) {
  const read = (signal: AbortSignal) => client.time.report.query(page, { signal })
  const query = listQuery<Report>(page.boardId, [KIND, JSON.stringify(page)], read, applyReportChange)
  return { ...query, meta: { ...query.meta, failure: { title: LOADING_FAILED } } }
}

/** One page of a board's time, read anew as it is shown and as something changes in it. */
export function useReport(page: Page) {
  const { boardId } = page
  const { data, isError, isFetching, refetch } = useQuery({
    ...reportQuery(page),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const [readAgain] = useState(() =>
    throttled(() => queryClient.refetchQueries({ queryKey: listsOf(boardId, KIND), type: 'active' }), READ_EVERY),
  )
  useLiveMessages((message) => concernsReport(message, boardId, data) && readAgain())
  const report = useWithForeseen(boardId, data, applyReportChange)
  return { report, isError, isFetching, retry: () => void refetch() }
}
