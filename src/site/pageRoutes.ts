import type { Elysia } from 'elysia'
import { isLocked } from '../access'
import { entranceAt, SETUP } from '../auth/basics'
import { isSetupToken } from '../auth/server/lookup'
import { signInOptions, supportOf } from '../auth/server/signUp'
import { firstWeekday } from '../basics'
import { type Context, createContext, type Services } from '../server/context'
import { plainCookieIn } from '../server/cookies'
import { isDeveloper } from '../server/origin'
import { countCall } from '../server/rateLimits'
import { note, PAGE_FILES } from '../server/requests'
import { requireSignedIn, type SignedIn } from '../server/signedIn'
import { firstTasksOf, openSnapshot } from '../tasks/server/snapshotCache'
import { listTimers } from '../time/server/timers.store'
import { whose } from '../today/schema'
import { dayAround, readToday } from '../today/server/store'
import { boardAt, PUBLIC_PATHS, type PublicPath } from './addresses'
import { type Page, zoneOf } from './page'
import type { Beginning } from './render'

export const ENTRANCE_PATHS = ['/login', '/auth/verify', SETUP]

export function mountPage(app: Elysia, services: Services, page: Page): void {
  const openPublic = async (request: Request, path: PublicPath) => {
    const { signUp, passwords } = await signInOptions(services, false)
    return page.publicPage(request, path, {
      origin: services.origin(),
      supportEmail: supportOf(services.config),
      mayRegister: signUp === 'open' && passwords,
      isSignedIn: path !== '/' && plainCookieIn(request, 'session') !== undefined,
    })
  }
  app.get('/', async ({ request }) => {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const context = await contextOf(services, request, headers)
    const isGuest = context && !context.session
    const beginning = context && !isGuest ? await dashboardBeginning(services, request, context, zoneOf(request)) : undefined
    const answer = await (isGuest ? openPublic(request, '/') : page.app(request, beginning))
    // Never cached: it depends on the session, also for the back button after signing out.
    return withHeaders(answer, headers)
  })
  for (const path of ENTRANCE_PATHS)
    app.get(path, ({ request }) => toOneSpelling(request) ?? openEntrance(services, page, path, request))
  const { hasPlans } = services.config
  const publicPaths = PUBLIC_PATHS.filter((path) => hasPlans || path !== '/refund')
  for (const path of publicPaths) if (path !== '/') app.get(path, ({ request }) => openPublic(request, path))
  app.get('/robots.txt', () => robots(services.origin()))
  app.get('/sitemap.xml', () => sitemap(services.origin(), publicPaths))
  const fileOf = (request: Request) => {
    const answer = page.file(request)
    if (answer) note({ route: PAGE_FILES })
    return answer
  }
  app.get('/*', ({ request }) => toOneSpelling(request) ?? fileOf(request) ?? openApp(services, page, request))
}

async function openEntrance(services: Services, page: Page, path: string, request: Request): Promise<Response> {
  const headers = new Headers({ Location: '/', 'Cache-Control': 'no-store' })
  const context = path === '/login' ? await contextOf(services, request, headers) : undefined
  if (context?.session) return new Response(null, { status: 302, headers })
  const options = {
    ...(await signInOptions(services, isDeveloper(services.config, request))),
    isSignedOut: context !== undefined,
  }
  const url = new URL(request.url)
  if (path === SETUP) {
    // If that cannot be read, the link may still be tried.
    const setup = await isSetupToken(services.db, url.searchParams.get('token') ?? '').catch(() => true)
    return page.entrance(request, 'setup', { ...options, setup }, false)
  }
  return page.entrance(request, entranceAt(url), options, !url.searchParams.has('invited'))
}

/** The app takes several spellings of its addresses; headers.ts lets Stripe in at one, and the others are no part of the app. */
const OWN_DOCUMENTS = ['/subscribe', ...ENTRANCE_PATHS]

function toOneSpelling(request: Request): Response | null {
  const { pathname, search } = new URL(request.url)
  const path = decoded(pathname).toLowerCase().replace(/\/+$/, '')
  if (pathname === path || !OWN_DOCUMENTS.includes(path)) return null
  return new Response(null, { status: 308, headers: { Location: path + search } })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** If the session cannot be read, the app is served and says so. */
const contextOf = (services: Services, request: Request, headers: Headers) =>
  createContext(services, request, { headers }).catch(() => undefined)

/** No pages on a server without plans. */
const PLAN_PATHS = ['/subscribe', '/refund']

async function openApp(services: Services, page: Page, request: Request): Promise<Response> {
  const headers = new Headers()
  const beginning = await boardBeginning(services, request, headers)
  if (headers.has('Set-Cookie')) headers.set('Cache-Control', 'no-store')
  const answer = withHeaders(await page.app(request, beginning), headers)
  const isGone = !services.config.hasPlans && PLAN_PATHS.includes(new URL(request.url).pathname)
  return isGone ? new Response(answer.body, { status: 404, headers: answer.headers }) : answer
}

function withHeaders(answer: Response, headers: Headers): Response {
  for (const [name, value] of headers) if (name !== 'set-cookie') answer.headers.set(name, value)
  for (const cookie of headers.getSetCookie()) answer.headers.append('Set-Cookie', cookie)
  return answer
}

const text = (type: string, body: string) =>
  new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })

const DISALLOWED = ['/api/', '/auth/', '/board/', '/invite', '/setup', '/trpc/', '/unsubscribe', '/uploads/']

const robots = (origin: string) =>
  text(
    'text/plain;charset=utf-8',
    ['User-agent: *', ...DISALLOWED.map((path) => `Disallow: ${path}`), `Sitemap: ${origin}/sitemap.xml`, ''].join('\n'),
  )

const sitemap = (origin: string, paths: readonly PublicPath[]) =>
  text(
    'application/xml;charset=utf-8',
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...paths.map((path) => `<url><loc>${Bun.escapeHTML(origin + path)}</loc></url>`),
      '</urlset>',
      '',
    ].join('\n'),
  )

/** A page that is slow to begin comes without. */
const PATIENCE_MS = 1_000

/** `zone` is where the viewer is, as far as their browser has said. */
async function dashboardBeginning(
  services: Services,
  request: Request,
  { session, language }: Context,
  zone: string | undefined,
): Promise<Beginning | undefined> {
  return inTime(async () => {
    const viewer = await counted(services, session)
    const { timeZone } = whose.catch({ timeZone: 'UTC' }).parse({ timeZone: zone })
    const [today, timers] = await Promise.all([
      readToday(services.db, viewer, dayAround(new Date(), timeZone), firstWeekday(viewer.weekStartsOn, language)),
      listTimers(services.db, viewer),
    ])
    const hasTimer = timers.some(({ status }) => status === 'ACTIVE')
    const hasPaid = new URL(request.url).searchParams.has('payment_success')
    const { hasPlans } = services.config
    return { dashboard: { user: viewer, today, hasTimer, hasPaid, hasPlans }, unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** Also undefined for users who may not see the board: the app tells them. */
async function boardBeginning(services: Services, request: Request, headers: Headers): Promise<Beginning | undefined> {
  const boardId = boardAt(new URL(request.url).pathname)
  if (boardId === undefined) return undefined
  return inTime(async () => {
    const { session } = await createContext(services, request, { headers, params: { boardId } })
    const viewer = await counted(services, session)
    const { grant, snapshot } = await openSnapshot(services, viewer, Number(boardId))
    const board = firstTasksOf(snapshot)
    return { board, locked: isLocked(viewer, grant.board), unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** Without mailed links only the provider can confirm it. */
const unconfirmedOf = ({ config }: Services, { email, emailVerified }: SignedIn) =>
  emailVerified || config.onlyOidc ? undefined : email

async function counted(services: Services, session: Context['session']): Promise<SignedIn> {
  const viewer = requireSignedIn(session)
  await countCall(services, session)
  return viewer
}

const inTime = (read: () => Promise<Beginning | undefined>): Promise<Beginning | undefined> =>
  Promise.race([read().catch(() => undefined), Bun.sleep(PATIENCE_MS).then(() => undefined)])
