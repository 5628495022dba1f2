import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { Elysia } from 'elysia'
import { assertShort, readJsonText } from '../server/body'
import { createContext, type Services } from '../server/context'
import { badRequest, notFound, type Refusal, refusalResponse, retryAfterHeader } from '../server/errors'
import { createHeaders } from '../server/headers'
import { createWebSocket } from '../server/live/websocket'
import { assertOwnOrigin } from '../server/origin'
import { note, recordRequests } from '../server/requests'
import { wholeBody } from '../server/responseBody'
import { healthRoutes } from './health'
import { createMetrics } from './metrics'
import { describeCalls, docsPage } from './openapi'
import type { Page } from './page'
import { mountPage } from './pageRoutes'
import { mountRawRoutes, mountRest, takesFile } from './rest'
import { appRouter, clientMessages } from './router'
import { sendSource } from './sourceDownload'

const MAX_BATCH = 10

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

export function createApp(services: Services, page: Page | null) {
  const health = healthRoutes(services)
  const webSocket = createWebSocket(services, clientMessages)
  const app = new Elysia()
  app.wrap(secured(services))
  app.onError(({ error, code }) => refusalResponse(elysiaRefusals[code]?.() ?? error))
  app.onBeforeHandle(({ route }) => note({ route }))
  app.get('/health', health.health)
  app.get('/ready', health.ready)
  const metrics = createMetrics(services)
  app.get('/metrics', ({ request }) => metrics(request))
  app.get('/ws', async ({ request, server }) => {
    const refusal = server && (await webSocket.upgrade(request, server))
    if (!refusal) note({ status: 101 })
    return refusal
  })
  app.get('/trpc/*', ({ request }) => handleTrpc(services, request))
  app.post('/trpc/*', ({ request }) => postTrpc(services, request), { parse: 'none' })
  app.get('/api/source', () => sendSource(services))
  const { hasPlans } = services.config
  app.get('/api/docs', ({ request }) => docsPage(request, hasPlans))
  app.get('/api/docs/openapi.json', () => Response.json(describeCalls(hasPlans)))
  mountRest(app, services)
  mountRawRoutes(app, services)
  // Separately, or a GET would get the page of `/*`.
  app.get('/api/*', noSuchCall)
  app.all('/api/*', noSuchCall, { parse: 'none' })
  if (page) mountPage(app, services, page)
  return { app, webSocket }
}

type Handle = (request: Request) => unknown

/** Wraps all routes instead of using Elysia's `set`, which copies each answer. */
function secured(services: Services) {
  const headersOf = createHeaders(services)

  function assertAllowed(request: Request, path: string | undefined) {
    if (path === undefined) throw badRequest('The Host header is not a valid host')
    if (!isRead(request.method)) assertOwnOrigin(request, services)
    if (!takesFile(path)) assertShort(request)
  }

  async function answer(handle: Handle, request: Request, path: string | undefined) {
    try {
      assertAllowed(request, path)
      return await handle(request)
    } catch (error) {
      return refusalResponse(error)
    }
  }

  return (handle: Handle) =>
    recordRequests(services, async (request) => {
      const path = URL.parse(request.url)?.pathname
      const response = await answer(handle, request, path)
      if (!(response instanceof Response)) return response
      for (const [name, value] of headersOf(path ?? '')) if (!response.headers.has(name)) response.headers.set(name, value)
      // A proxy that reuses connections could send a request into a closing one.
      if (services.isDraining()) response.headers.set('Connection', 'close')
      return response
    })
}

const handleTrpc = async (services: Services, request: Request, body?: string) => {
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    req: body === undefined ? request : withBody(request, body),
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ resHeaders, info }) => {
      const batch = info.calls.map(({ path }) => path)
      // Only existing names: an address can contain anything.
      noteCalls(info.calls.filter(({ procedure }) => procedure).map(({ path }) => path))
      return createContext(services, request, { headers: resHeaders, batch, body })
    },
    responseMeta: ({ errors }) => ({ headers: retryAfterHeader(errors) }),
  })
  return new Response(wholeBody(await response.bytes()), response)
}

function noteCalls(names: string[]) {
  const [name] = names
  if (names.length === 1) note({ route: `/trpc/${name}` })
  else if (names.length > 1) note({ route: '/trpc/batch', calls: names.join() })
}

/** tRPC reads bodies of any length in the transaction: an incomplete one would hold it open. */
const postTrpc = async (services: Services, request: Request) => handleTrpc(services, request, await readJsonText(request))

const withBody = ({ url, method, headers }: Request, body: string) => new Request(url, { method, headers, body })

const noSuchCall = () => refusalResponse(notFound('No such endpoint'))

const unreadable = () => badRequest('The request could not be read')

const elysiaRefusals: Partial<Record<string | number, () => Refusal>> = {
  NOT_FOUND: () => notFound(),
  PARSE: unreadable,
  VALIDATION: unreadable,
  INVALID_COOKIE_SIGNATURE: unreadable,
}
