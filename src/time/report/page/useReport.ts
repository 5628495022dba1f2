import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { liveListKey, liveListQuery } from '../../../web/live/liveLists'
import { usePredicted } from '../../../web/live/optimisticMutation'
import { useEveryLiveMessage } from '../../../web/live/socket'
import { queryClient } from '../../../web/queryClient'
import { READ_EVERY, throttled } from '../../../web/throttled'
import { LOADING_FAILED } from '../../entries/schema'
import type { Report, ReportPage } from '../schema'
import { reportApi } from './api'
import { applyToReport, concernsReport } from './reducers'

type Page = ReportPage & { boardId: number }

const KIND = 'report'

function reportQuery(page: Page) {
  const read = (signal: AbortSignal) => reportApi.report.query(page, { signal })
  const query = liveListQuery<Report>(page.boardId, [KIND, JSON.stringify(page)], read, applyToReport)
  return { ...query, meta: { ...query.meta, failure: { title: LOADING_FAILED } } }
}

export function useReport(page: Page) {
  const { boardId } = page
  const { data, isError, isFetching, refetch } = useQuery({
    ...reportQuery(page),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const [readAgain] = useState(() =>
    throttled(() => queryClient.refetchQueries({ queryKey: liveListKey(boardId, KIND), type: 'active' }), READ_EVERY),
  )
  useEveryLiveMessage((message) => concernsReport(message, boardId, data) && readAgain())
  const report = usePredicted(boardId, data, applyToReport)
  return { report, isError, isFetching, retry: () => void refetch() }
}
