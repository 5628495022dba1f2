import type { Elysia } from 'elysia'
import { SETUP, signInScreenAt } from '../auth/limits'
import { isSetupToken } from '../auth/server/lookup'
import { signInOptions, supportOf } from '../auth/server/signUp'
import { createContext, type Services } from '../server/context'
import { isDeveloper } from '../server/origin'
import { note, PAGE_FILES } from '../server/requests'
import { initialBoard, initialDashboard } from './initialViews'
import { hasSessionCookie, type Page, zoneOf } from './page'
import { PUBLIC_PATHS, type PublicPath } from './paths'

export const SIGN_IN_PATHS = ['/login', '/auth/verify', SETUP]

export function mountPage(app: Elysia, services: Services, page: Page): void {
  const openPublic = async (request: Request, path: PublicPath) => {
    const { signUp, passwords } = await signInOptions(services, false)
    return page.publicPage(request, path, {
      origin: services.origin(),
      hasPlans: services.config.hasPlans,
      supportEmail: supportOf(services.config),
      mayRegister: signUp === 'open' && passwords,
      isSignedIn: path !== '/' && hasSessionCookie(request),
    })
  }
  app.get('/', async ({ request }) => {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const context = await contextOf(services, request, headers)
    const isGuest = context && !context.session
    const initial = context && !isGuest ? await initialDashboard(services, request, context, zoneOf(request)) : undefined
    const answer = await (isGuest ? openPublic(request, '/') : page.app(request, initial))
    // Never cached: it depends on the session, even when going back after signing out.
    return withHeaders(answer, headers)
  })
  for (const path of SIGN_IN_PATHS)
    app.get(path, ({ request }) => toOneSpelling(request) ?? openSignIn(services, page, path, request))
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

async function openSignIn(services: Services, page: Page, path: string, request: Request): Promise<Response> {
  const headers = new Headers({ Location: '/', 'Cache-Control': 'no-store' })
  const context = path === '/login' ? await contextOf(services, request, headers) : undefined
  if (context?.session) return new Response(null, { status: 302, headers })
  const options = {
    ...(await signInOptions(services, isDeveloper(services.config, request))),
    isSignedOut: context !== undefined,
  }
  const url = new URL(request.url)
  if (path === SETUP) {
    // If that cannot be read, let the user try the link.
    const setup = await isSetupToken(services.db, url.searchParams.get('token') ?? '').catch(() => true)
    return page.signIn(request, 'setup', { ...options, setup }, false)
  }
  return page.signIn(request, signInScreenAt(url), options, !url.searchParams.has('invited'))
}

/** The app accepts several spellings of its addresses; headers.ts allows Stripe at one of them. */
const OWN_DOCUMENTS = ['/subscribe', ...SIGN_IN_PATHS]

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
  const initial = await initialBoard(services, request, headers)
  if (headers.has('Set-Cookie')) headers.set('Cache-Control', 'no-store')
  const answer = withHeaders(await page.app(request, initial), headers)
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
