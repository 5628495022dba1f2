import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { Elysia } from 'elysia'
import { version } from '../../package.json'
import { ping } from '../db/client'
import { assertAnnouncedLength, readJsonText } from '../server/body'
import { createContext, type Services } from '../server/context'
import { badRequest, notFound, Refusal, refusalResponse, retryAfterHeader } from '../server/errors'
import { createHeaders } from '../server/headers'
import { createWebSocket } from '../server/live/websocket'
import { assertOwnOrigin } from '../server/origin'
import { wholeBody } from '../server/wholeBody'
import { clientMessages } from './clientMessages'
import { docsPage } from './docsPage'
import { describeCalls } from './openapi'
import { mountPage, type Page } from './pageRoutes'
import { mountRawRoutes, mountRest } from './restAdapter'
import { appRouter } from './router'

const MAX_BATCH = 10

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

export function createApp(services: Services, page: Page | null) {
  const webSocket = createWebSocket(services, clientMessages)
  const routes = page?.routes?.((request) => app.handle(request))
  const app: Elysia = new Elysia({ serve: { routes } })
  app.wrap(secured(services))
  app.onError(({ error, code }) => refusalResponse(elysiaRefusals[code]?.() ?? error))
  app.get('/health', () => health(services))
  app.get('/ws', async ({ request, server }) => server && (await webSocket.upgrade(request, server)))
  app.get('/trpc/*', ({ request }) => handleTrpc(services, request))
  app.post('/trpc/*', ({ request }) => postTrpc(services, request), { parse: 'none' })
  mountRest(app, services)
  mountRawRoutes(app, services)
  app.get('/api/docs', ({ request }) => docsPage(request))
  app.get('/api/docs/openapi.json', () => Response.json(describeCalls()))
  app.get('/api/*', noSuchCall)
  app.all('/api/*', noSuchCall, { parse: 'none' })
  if (page) mountPage(app, services, page)
  return { app, webSocket }
}

/** Around all routes, and not by Elysia's `set`, for which it makes each answer anew. */
function secured(services: Services) {
  const headersOf = createHeaders(services)

  function assertAllowed(request: Request, path: string | undefined) {
    if (path === undefined) throw badRequest('The Host header is no host')
    if (!isRead(request.method)) assertOwnOrigin(request, services)
    assertAnnouncedLength(request, path)
  }

  async function answer(handle: (request: Request) => unknown, request: Request, path: string | undefined) {
    try {
      assertAllowed(request, path)
      return await handle(request)
    } catch (error) {
      return refusalResponse(error)
    }
  }

  return (handle: (request: Request) => unknown) => async (request: Request) => {
    const path = URL.parse(request.url)?.pathname
    const response = await answer(handle, request, path)
    if (!(response instanceof Response)) return response
    for (const [name, value] of headersOf(path ?? '')) if (!response.headers.has(name)) response.headers.set(name, value)
    return response
  }
}

const handleTrpc = async (services: Services, request: Request, body?: string) => {
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    req: body === undefined ? request : withBody(request, body),
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ resHeaders, info }) =>
      createContext(services, request, { headers: resHeaders, batch: info.calls.map(({ path }) => path), body }),
    responseMeta: ({ errors }) => ({ headers: retryAfterHeader(errors) }),
  })
  return new Response(wholeBody(await response.bytes()), response)
}

/** tRPC reads bodies of any length, and within the transaction: half of one would hold that open. */
const postTrpc = async (services: Services, request: Request) => handleTrpc(services, request, await readJsonText(request))

const withBody = ({ url, method, headers }: Request, body: string) => new Request(url, { method, headers, body })

const noSuchCall = () => refusalResponse(notFound('There is no such call'))

const elysiaRefusals: Partial<Record<string | number, () => Refusal>> = {
  NOT_FOUND: () => notFound(),
  PARSE: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
  VALIDATION: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
  INVALID_COOKIE_SIGNATURE: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
}

const HEALTH_TIMEOUT_MS = 2_000

async function health({ db, room }: Services): Promise<Response> {
  const ill = (status: string) => Response.json({ status, version }, { status: 503 })
  try {
    await ping(db, HEALTH_TIMEOUT_MS)
  } catch {
    return ill('the database does not answer')
  }
  return room.mayChange() ? Response.json({ status: 'ok', version }) : ill('the disk is nearly full: changes are refused')
}
