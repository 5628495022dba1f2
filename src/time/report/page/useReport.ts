import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../web/client'
import { liveKey, liveQuery } from '../../../web/live/liveQuery'
import { useLive } from '../../../web/live/predictions'
import { useEveryLiveMessage } from '../../../web/live/socket'
import { queryClient } from '../../../web/queryClient'
import { READ_EVERY, throttled } from '../../../web/throttled'
import { LOADING_FAILED } from '../../entries/basics'
import type { Report, ReportPage } from '../schema'
import { applyToReport, concernsReport } from './reducers'

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
  const { data: report, isError, isFetching, refetch } = useLive<Report>(query, applyToReport)
  const [readAgain] = useState(() =>
    throttled(() => queryClient.refetchQueries({ queryKey: liveKey(boardId, KIND), type: 'active' }), READ_EVERY),
  )
  useEveryLiveMessage((message) => concernsReport(message, boardId, report) && readAgain())
  return { report, isError, isFetching, retry: () => void refetch() }
}
