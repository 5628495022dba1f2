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
  const headers = createHeaders(services)
  app.onRequest(({ request, set }) => {
    const url = URL.parse(request.url)
    Object.assign(set.headers, headers(url?.pathname ?? ''))
    if (!url) throw badRequest('The Host header is no host')
    if (!isRead(request.method)) assertOwnOrigin(request, services)
    assertAnnouncedLength(request, url.pathname)
  })
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

const handleTrpc = (services: Services, request: Request, body?: string) =>
  fetchRequestHandler({
    endpoint: '/trpc',
    req: body === undefined ? request : withBody(request, body),
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ resHeaders, info }) =>
      createContext(services, request, { headers: resHeaders, batch: info.calls.map(({ path }) => path), body }),
    responseMeta: ({ errors }) => ({ headers: retryAfterHeader(errors) }),
  })

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
