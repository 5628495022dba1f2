import { useState } from 'react'
import { type MutationTexts, tellRefusal, tellSuccess } from './tell'

type Outcome<Answer> = { answer: Answer; error?: undefined } | { answer?: undefined; error: unknown }

/** A call of a page without a query cache. */
export function useCall<Given, Answer>(call: (given: Given) => Promise<Answer>, texts: MutationTexts<Answer, Given>) {
  const [busy, setBusy] = useState(false)
  const run = async (given: Given): Promise<Outcome<Answer>> => {
    setBusy(true)
    try {
      const answer = await call(given)
      tellSuccess(texts, answer, given)
      return { answer }
    } catch (error) {
      tellRefusal(texts, error)
      return { error }
    } finally {
      setBusy(false)
    }
  }
  return { run, busy }
}
