import { readWhole } from './body'

type Bounds = { maxBytes: number; timeoutMs: number }

/**
 * `fetch` of a server that the operator has named. Answers once all has come, within the time, and without unpacking anything,
 * as little may become very much; by itself it follows no redirect. Throws where there is more than that.
 */
export const fetchWithin = ({ maxBytes, timeoutMs }: Bounds) =>
  async function fetchBounded(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const headers = new Headers(init.headers)
    headers.set('accept-encoding', 'identity')
    const asked = { redirect: 'error', ...init, headers, signal: AbortSignal.any(signals), decompress: false } as const
    const { body, status, headers: answered } = await fetch(input, asked)
    const tooLarge = () => new Error(`the answer has more than ${maxBytes} bytes`)
    return new Response(await readWhole(body ?? nothing(), maxBytes, tooLarge), { status, headers: answered })
  }

async function* nothing() {}
