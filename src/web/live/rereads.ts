import type { Query } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createStore } from '../createStore'
import { queryClient } from '../queryClient'
import { refusalOf } from '../refusal'
import { isUnreachable, nextTry, ReadRefused } from './reachability'
import { liveStatus, type Status, useLiveMessages, watchLive, whenLive } from './socket'

/** What could not be read, with how often that failed: it is read again for as long as somebody looks at it. */
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

/** Queries that show a kept answer: their success is none. */
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

/** Whether something that is shown could not be read again, and may be old. */
export const useIsOld = (): boolean => useSyncExternalStore(failed.watch, isShownOld)

/** Once the socket is open, or failed to: nothing falls between it and what is read then. */
const mayReadAt = (status: Status) => status === 'open' || status === 'lost'

export const useMayRead = (): boolean => useSyncExternalStore(watchLive, () => mayReadAt(liveStatus()))

/** For a query that is shown from the beginning, so that nothing is drawn again only to begin it. */
export const mayRead = (until: AbortSignal): Promise<void> => whenLive(mayReadAt, until)

/** Messages are not repeated: after a loss, what they keep up to date is read again. */
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
