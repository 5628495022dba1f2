import { useState } from 'react'
import { type MutationTexts, refusalText, tellRefusal, tellSuccess } from './tell'

type Outcome<Answer> = { answer: Answer; error?: undefined } | { answer?: undefined; error: unknown }

/** A call of a page without a query cache. */
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
