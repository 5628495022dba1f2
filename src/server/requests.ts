import { type Level, logRequest, requests } from '../log'

/** What is noted of a request while it is answered. */
export type RequestNote = {
  id: string
  began: number
  method: string
  /** The pattern, and not the address, which may hold what nobody else is to know. */
  route: string
  calls?: string
  user?: number
  bytes?: number
  status?: number
  /** Called at the end of a body that is made while it is read. */
  isStreamed?: true
  finish(): void
}

const current = () => requests.getStore() as RequestNote | undefined

export const requestId = (): string => requests.getStore()?.id ?? crypto.randomUUID()

export function note(facts: Partial<Pick<RequestNote, 'route' | 'calls' | 'user' | 'bytes' | 'status'>>): void {
  const request = current()
  if (request) Object.assign(request, facts)
}

/** For a body that is made while it is read: its request ends when what is returned is called, with the bytes that were sent. */
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

/** A proxy that is trusted may have named the request. */
function idOf(request: Request, trustProxy: boolean): string {
  const given = trustProxy ? request.headers.get('x-request-id') : null
  return given && PLAIN.test(given) ? given : crypto.randomUUID()
}

export type Finished = Pick<RequestNote, 'method' | 'route'> & { status: number; ms: number }

/** Each page asks for dozens. */
export const PAGE_FILES = 'page file'

/** Asked all the time, by machines and pages; a socket that opens is no answer. */
const QUIET = ['/health', '/ready', '/metrics', '/ws', PAGE_FILES]

const levelOf = ({ route, status }: Finished): Level =>
  QUIET.includes(route) && (status < 400 || status >= 500) ? 'debug' : status >= 500 ? 'warn' : 'info'

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10

/** Gives each request an id, logs and counts it when it was answered. */
export const recording =
  ({ config, traffic }: { config: { trustProxy: boolean }; traffic: { count(finished: Finished): void } }) =>
  (answer: (request: Request) => Promise<unknown>) =>
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
