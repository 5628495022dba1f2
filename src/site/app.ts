import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { version } from '../../package.json'
import { assertAnnouncedLength, readText } from '../server/body'
import { contextOf } from '../server/context'
import { badRequest, notFound, Refusal, refusalResponse, waitingTime } from '../server/errors'
import { createHeaders } from '../server/headers'
import { createChannel } from '../server/live/websocket'
import { assertOwnOrigin } from '../server/origin'
import type { Parts } from '../server/trpc'
import { describeCalls, docsPage } from './openapi'
import { mountPage, type Page } from './pageRoutes'
import { mountRest } from './restAdapter'
import { appRouter } from './router'
import { mountSpecial } from './special'

/** A page asks for a few things at once; more in one request is somebody trying. */
const LARGEST_BATCH = 10

const reads = (method: string) => method === 'GET' || method === 'HEAD'

/** The whole site on Elysia; composition only. */
export function createApp(parts: Parts, page: Page | null) {
  const channel = createChannel(parts)
  const routes = page?.routes?.((request) => app.handle(request))
  const app: Elysia = new Elysia({ serve: { routes } })
  const headers = createHeaders(parts)
  app.onRequest(({ request, set }) => {
    const url = URL.parse(request.url)
    Object.assign(set.headers, headers(url?.pathname ?? ''))
    if (!url) throw badRequest('The Host header is no host')
    if (!reads(request.method)) assertOwnOrigin(request, parts)
    assertAnnouncedLength(request, url.pathname)
  })
  app.onError(({ error, code }) => refusalResponse(elysiaRefusals[code]?.() ?? error))
  app.get('/health', () => health(parts))
  app.get('/ws', async ({ request, server }) => server && (await channel.upgrade(request, server)))
  app.get('/trpc/*', ({ request }) => answerPage(parts, request, request))
  app.post('/trpc/*', async ({ request }) => answerPage(parts, request, await withShortBody(request)), { parse: 'none' })
  mountRest(app, parts)
  mountSpecial(app, parts)
  app.get('/api/docs', ({ request }) => docsPage(request, parts.origin()))
  app.get('/api/docs/openapi.json', () => Response.json(describeCalls(parts.origin())))
  app.get('/api/*', noSuchCall)
  app.all('/api/*', noSuchCall, { parse: 'none' })
  if (page) mountPage(app, parts, page)
  return { app, channel }
}

/** The page's own calls; `read` is the request with its body read. */
const answerPage = (parts: Parts, request: Request, read: Request) =>
  fetchRequestHandler({
    endpoint: '/trpc',
    req: read,
    router: appRouter,
    maxBatchSize: LARGEST_BATCH,
    createContext: ({ resHeaders }) => contextOf(parts, request, resHeaders),
    responseMeta: ({ errors }) => ({ headers: waitingTime(errors) }),
  })

/** tRPC reads bodies of any length, and within a transaction: half of one would hold that open for as long as it likes. */
async function withShortBody(request: Request): Promise<Request> {
  return new Request(request.url, { method: request.method, headers: request.headers, body: await readText(request) })
}

const noSuchCall = () => refusalResponse(notFound('There is no such call'))

/** Elysia's own errors in our words. */
const elysiaRefusals: Partial<Record<string | number, () => Refusal>> = {
  NOT_FOUND: () => notFound(),
  PARSE: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
  VALIDATION: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
  INVALID_COOKIE_SIGNATURE: () => new Refusal('BAD_REQUEST', 'The request could not be read'),
}

/** A database that takes longer than this does not answer, in milliseconds. */
const ANSWERS_WITHIN = 2_000

async function health({ db }: Parts): Promise<Response> {
  const late = Bun.sleep(ANSWERS_WITHIN).then(() => Promise.reject(new Error('late')))
  try {
    await Promise.race([db.execute(sql`select 1`), late])
    return Response.json({ status: 'ok', version })
  } catch {
    return Response.json({ status: 'the database does not answer', version }, { status: 503 })
  }
}
