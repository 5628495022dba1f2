import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { boardsQuery } from '../../boards/page/cache'
import { useReadAgain } from '../../web/live/readAgain'
import { liveStatus, useLiveMessages, watchLive } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { READ_EVERY, throttled } from '../../web/throttled'
import type { BoardImport, ImportProgress } from '../schema'
import { importsApi } from './api'

const ASK_EVERY_MS = 2_000

const importsQuery = () => ({ ...importsApi.list.queryOptions(), staleTime: 0 })

export const readImportsAgain = () => queryClient.invalidateQueries(importsQuery())

/** One's imports as they go on, the newest first; where no socket tells of them, they are asked for. */
export function useImports() {
  const isTold = useSyncExternalStore(watchLive, () => liveStatus() === 'open')
  const imports = useQuery({
    ...importsQuery(),
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => !isTold && data?.some(isRunning) && ASK_EVERY_MS,
  })
  useLiveMessages({ import_changed: ({ import: progress }) => putProgress(progress) })
  useReadAgain(() => void readImportsAgain())
  const done = imports.data?.filter(({ state }) => state === 'done').length ?? 0
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries(boardsQuery())
  }, [done])
  return imports
}

export const isRunning = ({ state }: ImportProgress): boolean => state === 'running'

export const knownImport = (importId: number): BoardImport | undefined =>
  queryClient.getQueryData(importsQuery().queryKey)?.find(({ id }) => id === importId)

export function putImport(changed: BoardImport): void {
  const { queryKey } = importsQuery()
  queryClient.setQueryData(queryKey, (known) => known && [changed, ...known.filter(({ id }) => id !== changed.id)].sort(byAge))
  // What is read at this moment may be older than its end, after which nothing more is told.
  if (!isRunning(changed) && queryClient.isFetching({ queryKey })) void readImportsAgain()
}

const readOthersSoon = throttled(() => readImportsAgain(), READ_EVERY)

function putProgress(progress: ImportProgress): void {
  const known = knownImport(progress.id)
  if (known) putImport({ ...known, ...progress })
  // It was uploaded in another tab.
  else readOthersSoon()
}

const byAge = (a: BoardImport, b: BoardImport) => b.id - a.id
