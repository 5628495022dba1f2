import { useRef, useState } from 'react'
import { type Call, randomKey } from './client'
import { type MutationTexts, refusalText, tellRefusal, tellSuccess } from './mutationToasts'

type Outcome<Answer> = { answer: Answer; error?: undefined } | { answer?: undefined; error: unknown }

/** A call from a page without a query cache. */
export function useCall<Given, Answer>(call: (given: Given) => Promise<Answer>, texts: MutationTexts<Answer, Given>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async (given: Given): Promise<Outcome<Answer>> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const answer = await call(given)
      tellSuccess(texts, answer, given)
      return { answer }
    } catch (error) {
      tellRefusal(texts, error)
      setFailure(refusalText(texts.failure, error)?.description)
      return { error }
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, failure }
}

export function useCooldown(duration: number) {
  const [active, setActive] = useState(false)
  const start = () => {
    setActive(true)
    setTimeout(() => setActive(false), duration)
  }
  return { active, start }
}

/** For changes sent without the queue: a request keeps its key until it succeeds, so that retrying does nothing twice. */
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
