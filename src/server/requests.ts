import { type Level, logRequest, requests } from '../log'

type RequestNote = {
  id: string
  began: number
  method: string
  /** The pattern, not the path, which may hold secrets. */
  route: string
  calls?: string
  user?: number
  bytes?: number
  status?: number
  /** `finish` is called at the end of a streamed body. */
  isStreamed?: true
  finish(): void
}

const current = () => requests.getStore() as RequestNote | undefined

export const requestId = (): string => requests.getStore()?.id ?? crypto.randomUUID()

export function note(facts: Partial<Pick<RequestNote, 'route' | 'calls' | 'user' | 'bytes' | 'status'>>): void {
  const request = current()
  if (request) Object.assign(request, facts)
}

/** For a streamed body: call the returned function at its end with the number of bytes. */
export function noteStream(): (bytes: number) => void {
  const request = current()
  if (!request) return () => {}
  request.isStreamed = true
  return (bytes) => {
    request.bytes = bytes
    request.finish()
  }
}

const PLAIN = /^[\w.-]{1,64}$/

/** A trusted proxy may have set the request's id. */
function idOf(request: Request, trustProxy: boolean): string {
  const given = trustProxy ? request.headers.get('x-request-id') : null
  return given && PLAIN.test(given) ? given : crypto.randomUUID()
}

type Finished = Pick<RequestNote, 'method' | 'route'> & { status: number; ms: number }

export const PAGE_FILES = 'page file'

const QUIET = ['/health', '/ready', '/metrics', '/ws', PAGE_FILES]

const levelOf = ({ route, status }: Finished): Level =>
  QUIET.includes(route) && (status < 400 || status >= 500) ? 'debug' : status >= 500 ? 'warn' : 'info'

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10

type Recorder = { config: { trustProxy: boolean }; traffic: { count(finished: Finished): void } }

export const recordRequests =
  ({ config, traffic }: Recorder, answer: (request: Request) => Promise<unknown>) =>
  (request: Request): Promise<unknown> => {
    let isFinished = false
    const made: RequestNote = {
      id: idOf(request, config.trustProxy),
      began: performance.now(),
      method: request.method,
      route: 'none',
      finish() {
        if (isFinished) return
        isFinished = true
        const { id, user, method, route, status = 0, calls, bytes } = made
        const facts = { method, route, status, ms: tenths(performance.now() - made.began) }
        traffic.count(facts)
        logRequest(levelOf(facts), { id, user, ...facts, calls, bytes })
      },
    }
    return requests.run(made, async () => {
      const response = await answer(request)
      if (response instanceof Response) {
        made.status ??= response.status
        response.headers.set('X-Request-Id', made.id)
      }
      if (!made.isStreamed || request.method === 'HEAD') made.finish()
      return response
    })
  }

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

type Counted = { method: string; route: string; statuses: Map<number, number>; within: number[]; count: number; sumMs: number }

export type Traffic = ReturnType<typeof createTraffic>

export function createTraffic() {
  const counted = new Map<string, Counted>()

  function count({ method: given, route, status, ms }: Finished): void {
    const method = METHODS.includes(given) ? given : 'other'
    const key = `${method} ${route}`
    const none = { method, route, statuses: new Map(), within: BOUNDS_MS.map(() => 0), count: 0, sumMs: 0 }
    const one = counted.get(key) ?? none
    counted.set(key, one)
    one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1)
    one.count += 1
    one.sumMs += ms
    const bound = BOUNDS_MS.findIndex((most) => ms <= most)
    if (bound >= 0) one.within[bound] = (one.within[bound] ?? 0) + 1
  }

  return { count, all: (): Counted[] => [...counted.values()] }
}

export function cumulativeCounts({ within, count }: Counted): [bound: string, count: number][] {
  let sum = 0
  const bounded = BOUNDS_MS.map((ms, index): [string, number] => {
    sum += within[index] ?? 0
    return [String(ms / 1_000), sum]
  })
  return [...bounded, ['+Inf', count]]
}
