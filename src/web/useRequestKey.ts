import { useRef } from 'react'
import { type Call, randomKey } from './client'

/** For changes that are sent by hand: the same request has the same key until it succeeded, so that trying again makes nothing twice. */
export function useRequestKey() {
  const kept = useRef<{ request: string; key: string }>(undefined)
  return {
    of(given: unknown): Call {
      const request = JSON.stringify([given])
      if (kept.current?.request !== request) kept.current = { request, key: randomKey() }
      return { context: { key: kept.current.key } }
    },
    forget() {
      kept.current = undefined
    },
  }
}
