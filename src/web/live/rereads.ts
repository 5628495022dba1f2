import type { Query } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createStore } from '../createStore'
import { queryClient } from '../queryClient'
import { refusalOf } from '../refusal'
import { isUnreachable, nextTry, ReadRefused } from './reachability'
import { liveStatus, type Status, useLiveMessages, watchLive, whenLive } from './socket'

/** Failed reads and their number of failures, retried for as long as the data is shown. */
const failed = createStore<ReadonlyMap<string, number>>(new Map())

const PASSING = ['INTERNAL_SERVER_ERROR', 'TOO_MANY_REQUESTS', 'TIMEOUT']
export const mayPass = (error: unknown) =>
  isUnreachable(error) || (error instanceof ReadRefused ? error.mayPass : PASSING.includes(refusalOf(error)?.code ?? ''))

function readAgainLater(hash: string): void {
  const times = (failed.get().get(hash) ?? 0) + 1
  failed.set(new Map([...failed.get(), [hash, times]]))
  void nextTry(times)
    .then(visible)
    .then(() => again(hash, times))
}

export const isRepeated = (hash: string): boolean => failed.get().has(hash)

/** Queries that show a stored answer, whose success does not count. */
const standIns = new Set<string>()

export function standsIn(hash: string): void {
  standIns.add(hash)
  readAgainLater(hash)
}

const visible = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })

function again(hash: string, times: number) {
  const query = queryClient.getQueryCache().get(hash)
  if (failed.get().get(hash) !== times) return
  if (!query?.isActive()) forget(hash)
  else if (query.state.fetchStatus === 'idle') void query.fetch().catch(() => {})
}

function forget(hash: string) {
  if (isRepeated(hash)) failed.set(new Map([...failed.get()].filter(([other]) => other !== hash)))
}

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { query, action } = event
  if (action.type === 'error') {
    if (query.meta?.kept && query.isActive() && mayPass(action.error)) readAgainLater(query.queryHash)
    else forget(query.queryHash)
  }
  if (action.type === 'success' && !action.manual && !standIns.delete(query.queryHash)) forget(query.queryHash)
})

const isShownOld = () =>
  [...failed.get().keys()].some((hash) => {
    const query: Query | undefined = queryClient.getQueryCache().get(hash)
    return query?.isActive() && query.state.data !== undefined
  })

/** Whether something shown could not be reread and may be outdated. */
export const useIsOld = (): boolean => useSyncExternalStore(failed.watch, isShownOld)

/** Once the socket is open, or has failed to open, so that nothing is missed between it and the read. */
const mayReadAt = (status: Status) => status === 'open' || status === 'lost'

export const useMayRead = (): boolean => useSyncExternalStore(watchLive, () => mayReadAt(liveStatus()))

/** For a query shown from the start, so that nothing rerenders just to start it. */
export const mayRead = (until: AbortSignal): Promise<void> => whenLive(mayReadAt, until)

/** Messages are not repeated: after a loss, the data they keep up to date is reread. */
export function useReadAgain(read: () => void): void {
  const latest = useEffectEvent(read)
  useLiveMessages({ messages_missed: read })
  useEffect(() => {
    let before = liveStatus()
    return watchLive(() => {
      if (before === 'lost' && liveStatus() === 'open') latest()
      before = liveStatus()
    })
  }, [])
}
