import type { Serve } from 'bun'
import type { Elysia } from 'elysia'
import { type Entrance, entranceAt, SETUP, type SignInOptions } from '../auth/basics'
import { isSetupToken } from '../auth/server/lookup'
import { signInOptions } from '../auth/server/signUp'
import { createContext, type Services } from '../server/context'
import { plainCookieIn } from '../server/cookies'
import { isDeveloper } from '../server/origin'
import { note, PAGE_FILES } from '../server/requests'
import { type Beginning, boardBeginning, dashboardBeginning } from './beginnings'
import { zoneOf } from './pageCookies'

export const ENTRANCE_PATHS = ['/login', '/auth/verify', SETUP]

/** In built pages, replaced by what only a running server knows. */
export const PLACEHOLDERS = {
  origin: 'https://origin.invalid',
  host: 'host.invalid',
  supportEmail: 'support@origin.invalid',
}

export const PLACEHOLDER_OPTIONS: SignInOptions = {
  host: PLACEHOLDERS.host,
  supportEmail: PLACEHOLDERS.supportEmail,
  providers: [{ id: 'provider-id', name: 'provider-name' }],
  devLogin: true,
  isSignedOut: true,
  signUp: 'open',
  domains: null,
  passwords: true,
  setup: false,
}

/** `isSignedIn` as far as the cookie says. */
export type Site = { origin: string; supportEmail: string; mayRegister?: boolean; isSignedIn?: boolean }

const LOGGING_IN = /(<a[^>]* href=")\/login("[^>]*>)Log in</g
const REGISTERING = /(<a[^>]* href="\/login)\?register("[^>]*>)[^<]*/g

export const withSite = (html: string, { origin, supportEmail, mayRegister = true, isSignedIn = false }: Site): string =>
  (mayRegister ? html : html.replaceAll(REGISTERING, '$1$2Log in'))
    .replaceAll(LOGGING_IN, isSignedIn ? '$1/$2Dashboard<' : '$&')
    // Functions, because a dollar sign in a replacement string is special.
    .replaceAll(PLACEHOLDERS.origin, () => Bun.escapeHTML(origin))
    .replaceAll(PLACEHOLDERS.supportEmail, () => Bun.escapeHTML(supportEmail))

export type Page = {
  paths: string[]
  app(request: Request, beginning?: Beginning): Answer
  publicPage(request: Request, path: string, site: Site): Answer
  /** A page on which one signs in; one that is not rendered is for whoever was invited. */
  entrance(request: Request, entrance: Entrance, options: SignInOptions, isRendered: boolean): Answer
  file?(request: Request): Response | null
  /** Routes that Bun answers itself; `answer` is for the rest. */
  routes?(answer: (request: Request) => Promise<Response>): Serve.Routes<undefined, string>
}
type Answer = Response | Promise<Response>

export function mountPage(app: Elysia, services: Services, page: Page): void {
  const site = async () => {
    const { signUp, passwords } = await signInOptions(services, false)
    return { origin: services.origin(), supportEmail: services.config.supportEmail, mayRegister: signUp === 'open' && passwords }
  }
  app.get('/', async ({ request }) => {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const context = await contextOf(services, request, headers)
    const isGuest = context && !context.session
    const beginning = context && !isGuest ? await dashboardBeginning(services, request, context, zoneOf(request)) : undefined
    const answer = await (isGuest ? page.publicPage(request, '/', await site()) : page.app(request, beginning))
    // Never cached: it depends on the session, also for the back button after signing out.
    return withHeaders(answer, headers)
  })
  for (const path of ENTRANCE_PATHS)
    app.get(path, ({ request }) => toOneSpelling(request) ?? openEntrance(services, page, path, request))
  for (const path of page.paths.filter((path) => path !== '/'))
    app.get(path, async ({ request }) =>
      page.publicPage(request, path, { ...(await site()), isSignedIn: plainCookieIn(request, 'session') !== undefined }),
    )
  app.get('/robots.txt', () => robots(services.origin()))
  app.get('/sitemap.xml', () => sitemap(services.origin(), page.paths))
  const { file } = page
  const fileOf = (request: Request) => {
    const answer = file?.(request)
    if (answer) note({ route: PAGE_FILES })
    return answer
  }
  if (file) app.get('/*', ({ request }) => toOneSpelling(request) ?? fileOf(request) ?? openApp(services, page, request))
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
    // Where that cannot be read, whoever has the link may still try.
    const setup = await isSetupToken(services.db, url.searchParams.get('token') ?? '').catch(() => true)
    return page.entrance(request, 'setup', { ...options, setup }, false)
  }
  const mayRegister = options.signUp === 'open' && options.passwords
  const asked = entranceAt(url)
  const entrance = asked === 'register' && !mayRegister ? 'login' : asked
  const isUsual = mayRegister && (entrance !== 'register' || options.domains === null)
  return page.entrance(request, entrance, options, isUsual && !url.searchParams.has('invited'))
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

async function openApp(services: Services, page: Page, request: Request): Promise<Response> {
  const headers = new Headers()
  const beginning = await boardBeginning(services, request, headers)
  if (headers.has('Set-Cookie')) headers.set('Cache-Control', 'no-store')
  return withHeaders(await page.app(request, beginning), headers)
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

const sitemap = (origin: string, paths: string[]) =>
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
