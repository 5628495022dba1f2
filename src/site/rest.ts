import { callTRPCProcedure } from '@trpc/server'
import type { Elysia } from 'elysia'
import { accountRest } from '../account/server/router'
import { accountRoutes } from '../account/server/routes'
import { activityRest } from '../activity/server/router'
import { archiveRoutes } from '../archive/server/routes'
import { attachmentsRest } from '../attachments/server/router'
import { attachmentsRoutes } from '../attachments/server/routes'
import { authRest } from '../auth/server/router'
import { authRoutes } from '../auth/server/routes'
import { billingRest } from '../billing/server/router'
import { billingRoutes } from '../billing/server/routes'
import { boardStartersRest } from '../boardStarters/server/router'
import { boardsRest } from '../boards/server/router'
import { commentsRest } from '../comments/server/router'
import { finderRest } from '../finder/server/router'
import { importsRest } from '../imports/server/router'
import { importsRoutes } from '../imports/server/routes'
import { invitationsRest } from '../invitations/server/router'
import { notificationsRest } from '../notifications/server/router'
import { notificationsRoutes } from '../notifications/server/routes'
import { operatorRest } from '../operator/server/router'
import { readJsonText } from '../server/body'
import { type Context, createContext, type Services } from '../server/context'
import { Refusal, refusalResponse } from '../server/errors'
import { assertNoMatch, etagOf } from '../server/etag'
import { jsonResponse } from '../server/responseBody'
import type { RestCall } from '../server/rest'
import { queryOf, type RawRoute } from '../server/routes'
import { tasksRest } from '../tasks/server/router'
import { tasksRoutes } from '../tasks/server/routes'
import { timeRest } from '../time/server/router'
import { timeRoutes } from '../time/server/routes'
import { todayRest } from '../today/server/router'
import { usersRest } from '../users/server/router'
import { usersRoutes } from '../users/server/routes'
import { appRouter } from './router'

export const calls: RestCall[] = [
  ...authRest,
  ...accountRest,
  ...usersRest,
  ...billingRest,
  ...boardsRest,
  ...boardStartersRest,
  ...activityRest,
  ...finderRest,
  ...importsRest,
  ...invitationsRest,
  ...todayRest,
  ...tasksRest,
  ...commentsRest,
  ...notificationsRest,
  ...operatorRest,
  ...attachmentsRest,
  ...timeRest,
]

type Incoming = { request: Request; params?: Record<string, string> }

/** Elysia's own parsing is off: bodies are read here, with a limit. */
export function mountRest(app: Elysia, services: Services): void {
  for (const { method, path, procedure, status } of calls) {
    app.route(
      method,
      path,
      async ({ request, params }: Incoming) => {
        let headers = new Headers()
        try {
          const text = method === 'GET' ? '' : await readJsonText(request)
          const input = method === 'GET' ? queryOf(request) : jsonIn(text, request)
          // After the body, which can be slow: the session may have ended meanwhile.
          const context = await createContext(services, request, { body: text, params })
          headers = context.headers
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
      { config: {}, parse: 'none' },
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
          if (signsIn && request.method !== method) throw new Refusal('METHOD_NOT_SUPPORTED', `Ask with ${method}`)
          const context = await createContext(services, request, { headers, params })
          assertNoMatch(context)
          return await handle({ ...context, request, params })
        } catch (error) {
          return refusalResponse(error, headers)
        }
      },
      { config: {}, parse: 'none' },
    )
}

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

export const rawRoutes: RawRoute[] = [
  ...tasksRoutes,
  ...attachmentsRoutes,
  ...usersRoutes,
  ...timeRoutes,
  ...archiveRoutes,
  ...authRoutes,
  ...notificationsRoutes,
  ...billingRoutes,
  ...accountRoutes,
  ...importsRoutes,
]
