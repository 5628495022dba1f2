/** A connection that a router has forgotten gives no answer, and the browser would wait for minutes. */
const ANSWER_WITHIN_MS = 10_000

/** As `fetch`, but rejects where no answer begins within ten seconds; its end may take longer. */
export async function fetchInTime(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('No answer in time', 'TimeoutError')), ANSWER_WITHIN_MS)
  try {
    const signals = [late.signal, init.signal].filter((signal) => signal instanceof AbortSignal)
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) })
  } finally {
    clearTimeout(timer)
  }
}
