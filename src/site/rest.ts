import { callTRPCProcedure } from '@trpc/server'
import type { Elysia } from 'elysia'
import { readJsonText } from '../server/body'
import { type Context, createContext, type Services } from '../server/context'
import { Refusal, refusalResponse } from '../server/errors'
import { assertNoMatch, etagOf } from '../server/etag'
import { jsonResponse } from '../server/responseBody'
import { queryOf } from '../server/routes'
import { appRouter, calls, rawRoutes } from './router'

type Incoming = { request: Request; params?: Record<string, string> }

/** Elysia's own parsing is off: bodies are read here, with a limit. */
export function mountRest(app: Elysia, services: Services): void {
  for (const { method, path, procedure, status } of calls) {
    app.route(
      method,
      path,
      async ({ request, params }: Incoming) => {
        const headers = new Headers()
        try {
          const text = method === 'GET' ? '' : await readJsonText(request)
          const input = method === 'GET' ? queryOf(request) : jsonIn(text, request)
          // After the body, which can be slow: the session may have ended meanwhile.
          const context = await createContext(services, request, { headers, body: text })
          const answer = await call(context, procedure, method === 'GET' ? 'query' : 'mutation', {
            ...input,
            ...withNumericIds(params),
          })
          if (hasRevision(answer)) headers.set('ETag', etagOf(answer))
          return jsonResponse(answer, status, headers)
        } catch (error) {
          return refusalResponse(error, headers)
        }
      },
      { parse: 'none' },
    )
  }
}

export function mountRawRoutes(app: Elysia, services: Services): void {
  for (const { method, path, signsIn, handle } of rawRoutes)
    app.route(
      method,
      path,
      async ({ request, params = {} }: Incoming) => {
        const headers = new Headers()
        try {
          if (signsIn && request.method !== method) throw new Refusal('METHOD_NOT_SUPPORTED', `Use ${method}`)
          const context = await createContext(services, request, { headers })
          assertNoMatch(context)
          return await handle({ ...context, request, params })
        } catch (error) {
          return refusalResponse(error, headers)
        }
      },
      { parse: 'none' },
    )
}

const FILE_PATHS = rawRoutes.flatMap(({ path, takesFile, takesBytes }) =>
  takesFile || takesBytes ? path.replace(/:.*/, '') : [],
)

/** Whether a body there may be large. */
export const takesFile = (path: string): boolean =>
  FILE_PATHS.some((start) => (start.endsWith('/') ? path.startsWith(start) : path === start))

/** With the same input, rights and errors as the page's own call. */
const call = (ctx: Context, path: string, type: 'query' | 'mutation', input: unknown): Promise<unknown> =>
  callTRPCProcedure({ router: appRouter, path, type, ctx, getRawInput: async () => input, signal: undefined, batchIndex: 0 })

/** Anything else stays text, which the procedure refuses. */
const withNumericIds = (params: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      name.endsWith('Id') && /^\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  )

const hasRevision = (answer: unknown): answer is { revision: number } =>
  typeof answer === 'object' && answer !== null && 'revision' in answer && typeof answer.revision === 'number'

function jsonIn(text: string, request: Request): object {
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('BAD_REQUEST', 'The body must be a JSON object')
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('BAD_REQUEST', 'The body is not valid JSON')
  }
}
