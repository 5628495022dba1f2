import { type QueryKey, useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { boardsQuery } from '../../boards/page/cache'
import { client } from '../../web/client'
import { useReadAgain } from '../../web/live/rereads'
import { liveStatus, useLiveMessages, watchLive } from '../../web/live/socket'
import { queryClient, trpc } from '../../web/queryClient'
import { reasonOr, refusalOf } from '../../web/refusal'
import { throttled } from '../../web/scheduling'
import { useRequestKey } from '../../web/useCall'
import type { BoardImport, Choices, ImportProgress, ListedImport, Reading } from '../schema'

const ASK_EVERY_MS = 2_000

const importsQuery = () => ({ ...trpc.imports.list.queryOptions(), staleTime: 0 })
const importQuery = (importId: number) => ({ ...trpc.imports.get.queryOptions({ importId }), staleTime: 0 })

const readImportsAgain = () => queryClient.invalidateQueries(importsQuery())

const useIsLive = () => useSyncExternalStore(watchLive, () => liveStatus() === 'open')

/** The viewer's imports, the newest first; polled while the socket is down. */
export function useImports() {
  const isTold = useIsLive()
  const imports = useQuery({
    ...importsQuery(),
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => !isTold && data?.some(isRunning) && ASK_EVERY_MS,
  })
  useLiveMessages({ import_changed: ({ import: progress }) => cacheProgress(progress) })
  useReadAgain(() => void readImportsAgain())
  const done = imports.data?.filter(({ state }) => state === 'done').length ?? 0
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries(boardsQuery())
  }, [done])
  return imports
}

/** One import with its preview; needs `useImports` beside it, which receives changes. */
export function useImport(listed: ListedImport | undefined) {
  const isTold = useIsLive()
  const one = useQuery({
    ...importQuery(listed?.id ?? 0),
    enabled: listed !== undefined,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => !isTold && data !== undefined && isRunning(data) && ASK_EVERY_MS,
  })
  useReadAgain(() => {
    if (listed) void one.refetch()
  })
  return one
}

export const isRunning = ({ state }: Pick<ImportProgress, 'state'>): boolean => state === 'running'

const cachedImport = (importId: number): BoardImport | undefined => queryClient.getQueryData(importQuery(importId).queryKey)

export function cacheImport(changed: BoardImport): void {
  queryClient.setQueryData(importQuery(changed.id).queryKey, changed)
  const { preview, losses: _, boards: __, ...listed } = changed
  cacheListed({ ...listed, name: preview.name })
}

function cacheListed(changed: ListedImport): void {
  const { queryKey } = importsQuery()
  queryClient.setQueryData(queryKey, (known) => known && [changed, ...known.filter(({ id }) => id !== changed.id)].sort(byAge))
  if (isRunning(changed)) return
  // A read in flight may be older than the end, after which no message comes.
  const keys: QueryKey[] = [queryKey, importQuery(changed.id).queryKey]
  for (const key of keys) if (queryClient.isFetching({ queryKey: key })) void queryClient.invalidateQueries({ queryKey: key })
}

const readOthersSoon = throttled(() => readImportsAgain())

function cacheProgress({ losses, boards, ...progress }: ImportProgress): void {
  const listed = queryClient.getQueryData(importsQuery().queryKey)?.find(({ id }) => id === progress.id)
  queryClient.setQueryData(importQuery(progress.id).queryKey, (known) => known && { ...known, ...progress, boards, losses })
  if (listed) cacheListed({ ...listed, ...progress })
  // Uploaded in another tab.
  else readOthersSoon()
}

const byAge = (a: ListedImport, b: ListedImport) => b.id - a.id

const NOT_STARTED = 'The import could not be started. Nothing was lost. Please try again.'

/** Calls `onLimit` if the plan allows no further board. */
export function useStartImport(importId: number, onLimit: () => void) {
  const key = useRequestKey()
  return useMutation({
    mutationFn: (choices: Choices) => client.imports.start.mutate({ importId, choices }, key.of(choices)),
    onMutate: () => cachedImport(importId),
    onSuccess(started, _choices, before) {
      key.forget()
      // A message, which has no `me`, may say that a short import is done before this answer arrives.
      const now = cachedImport(importId)
      cacheImport(now === undefined || now === before ? started : { ...now, me: started.me })
    },
    onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    meta: {
      failure: (error) =>
        refusalOf(error)?.requiresUpgrade ? null : { title: 'Import Failed', description: reasonOr(error, NOT_STARTED) },
    },
  })
}

const rereadKey = (importId: number) => ['imports', 'reread', importId]

/** One at a time; a refusal leaves the preview as it was. */
export const useReread = (importId: number) =>
  useMutation({
    mutationKey: rereadKey(importId),
    scope: { id: `reread-${importId}` },
    mutationFn: (reading: Reading) => client.imports.reread.mutate({ importId, reading }),
    onSuccess: cacheImport,
    meta: { failure: () => null },
  })

export const useIsRereading = (importId: number): boolean => useIsMutating({ mutationKey: rereadKey(importId) }) > 0

/** Cancels a running import and deletes what it wrote; removes any other from the list. A finished board stays. */
export const useRemoveImport = (title: string, description?: string) =>
  useMutation({
    mutationFn: ({ id }: BoardImport) => client.imports.cancel.mutate({ importId: id }),
    onSettled: () => readImportsAgain(),
    meta: {
      success: { title, ...(description && { description }) },
      failure: (error) => ({ title: 'Request Failed', description: reasonOr(error, 'Please try again.') }),
    },
  })
