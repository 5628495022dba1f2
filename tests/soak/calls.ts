import { z } from 'zod'
import type { History } from './history'
import type { Measures } from './measures'
import type { Server } from './site'

const ANSWERED_WITHIN_MS = 6_000
const AGAIN_AFTER_MS = 400
const MOST_TRIES = 30

type Method = 'POST' | 'PATCH' | 'DELETE'
/** The same change as a line of REST and as a call of the page's. */
export type Ask = { rest: [method: Method, path: string, body?: object]; trpc: [procedure: string, input: object] }

/** `unknown` where no answer came, or one that may follow a change that was stored after all. */
export type Outcome =
  | { how: 'done'; body: unknown; version: number | undefined }
  | { how: 'refused'; status: number; said: string }
  | { how: 'unknown'; why: string }

export type Sender = { name: string; cookie(): string; address: string }
export type Calls = ReturnType<typeof createCalls>

export function createCalls(history: History, measures: Measures, servers: Server[]) {
  let areKeysHonoured = false

  async function once(sender: Sender, ask: Ask, way: 'rest' | 'trpc', server: Server, key: string): Promise<Outcome> {
    const [method, path, body] = way === 'rest' ? ask.rest : (['POST', `/trpc/${ask.trpc[0]}`, ask.trpc[1]] as const)
    try {
      const response = await fetch(server.lines.clients.url.replace(/\/$/, '') + path, {
        method,
        // One kept alive is asked twice where it ends meanwhile, for a request that may have been heard.
        keepalive: false,
        body: JSON.stringify(body ?? {}),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
        headers: {
          ...{ cookie: sender.cookie(), 'content-type': 'application/json' },
          ...{ 'x-forwarded-for': sender.address, 'idempotency-key': key },
        },
      })
      return read(response.status, response.headers, await response.text(), `${sender.name} ${method} ${path}`)
    } catch (error) {
      return { how: 'unknown', why: error instanceof Error ? error.name : 'no answer' }
    }
  }

  function read(status: number, headers: Headers, text: string, what: string): Outcome {
    if (status >= 500 && status !== 503 && status !== 507)
      history.violate('answers', `${what} got ${status}: ${text.slice(0, 200)}`)
    if (status >= 500) return { how: 'unknown', why: `${status}` }
    if (status >= 400) return { how: 'refused', status, said: text.slice(0, 160) }
    const version = Number(headers.get('x-board-version') ?? Number.NaN)
    const parsed = JSON.parse(text)
    const answer = answered.safeParse(parsed)
    return { how: 'done', body: answer.success ? answer.data.result.data : parsed, version: version || undefined }
  }

  /** Sends a change; where no answer comes and keys are honoured, whoever is patient sends it again until one does. */
  async function send(sender: Sender, ask: Ask, { way, server, isPatient, repeats }: Choices): Promise<Outcome> {
    const key = crypto.randomUUID()
    let outcome = await once(sender, ask, way, server(), key)
    for (let tries = 1; outcome.how === 'unknown' && areKeysHonoured && isPatient && tries < MOST_TRIES; tries++) {
      measures.writes.repeated += 1
      await Bun.sleep(AGAIN_AFTER_MS)
      outcome = await once(sender, ask, way, server(), key)
    }
    measures.writes[outcome.how] += 1
    if (outcome.how !== 'done' || !areKeysHonoured || !repeats) return outcome
    const again = await once(sender, ask, way, server(), key)
    if (again.how !== 'unknown' && !Bun.deepEquals(again, outcome))
      history.violate('repeated', `${JSON.stringify(ask.rest)} was ${JSON.stringify(outcome)}, then ${JSON.stringify(again)}`)
    return outcome
  }

  /** Finds out whether a key that comes again has one effect; until it is known, nothing is sent again. */
  async function tryKeys(sender: Sender, ask: Ask): Promise<boolean> {
    const [server] = servers
    if (!server) return false
    const key = crypto.randomUUID()
    const first = await once(sender, ask, 'rest', server, key)
    const second = await once(sender, ask, 'rest', server, key)
    areKeysHonoured = first.how === 'done' && Bun.deepEquals(first, second)
    return areKeysHonoured
  }

  return { send, tryKeys }
}

export type Choices = { way: 'rest' | 'trpc'; server(): Server; isPatient: boolean; repeats: boolean }

const answered = z.object({ result: z.object({ data: z.unknown() }) })
