import type { Serve } from 'bun'
import type { Elysia } from 'elysia'
import type { Services } from '../server/context'
import { createContext } from '../server/context'

/** In built pages, replaced by what only a running server knows. */
export const PLACEHOLDERS = { origin: 'https://origin.invalid', supportEmail: 'support@origin.invalid' }

export type Site = { origin: string; supportEmail: string }

export const withSite = (html: string, { origin, supportEmail }: Site): string =>
  html
    // Functions, because a dollar sign in a replacement string is special.
    .replaceAll(PLACEHOLDERS.origin, () => Bun.escapeHTML(origin))
    .replaceAll(PLACEHOLDERS.supportEmail, () => Bun.escapeHTML(supportEmail))

export type Page = {
  paths: string[]
  app(request: Request): Answer
  publicPage(request: Request, path: string, site: Site): Answer
  file?(request: Request): Response | null
  /** Routes that Bun answers itself; `answer` is for the rest. */
  routes?(answer: (request: Request) => Promise<Response>): Serve.Routes<undefined, string>
}
type Answer = Response | Promise<Response>

export function mountPage(app: Elysia, services: Services, page: Page): void {
  const site = () => ({ origin: services.origin(), supportEmail: services.config.supportEmail })
  app.get('/', async ({ request }) => {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const session = await sessionOf(services, request, headers)
    const answer = await (session ? page.app(request) : page.publicPage(request, '/', site()))
    // Never cached: it depends on the session, also for the back button after signing out.
    for (const [name, value] of headers) answer.headers.set(name, value)
    return answer
  })
  for (const path of page.paths.filter((path) => path !== '/'))
    app.get(path, ({ request }) => page.publicPage(request, path, site()))
  app.get('/robots.txt', () => robots(services.origin()))
  app.get('/sitemap.xml', () => sitemap(services.origin(), page.paths))
  const { file } = page
  if (file) app.get('/*', ({ request }) => toUpgradePage(request) ?? file(request) ?? page.app(request))
}

/** The app takes several spellings, headers.ts lets Stripe in at one. */
function toUpgradePage(request: Request): Response | null {
  const { pathname, search } = new URL(request.url)
  if (pathname === '/subscribe' || !/^\/subscribe\/*$/i.test(decoded(pathname))) return null
  return new Response(null, { status: 308, headers: { Location: `/subscribe${search}` } })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** If the session cannot be read, the app is served and says so. */
const sessionOf = (services: Services, request: Request, headers: Headers) =>
  createContext(services, request, { headers }).then(
    ({ session }) => session,
    () => 'unknown',
  )

const text = (type: string, body: string) =>
  new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })

const DISALLOWED = ['/api/', '/auth/', '/board/', '/invite', '/trpc/', '/unsubscribe', '/uploads/']

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
