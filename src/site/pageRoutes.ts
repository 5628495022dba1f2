import type { Serve } from 'bun'
import type { Elysia } from 'elysia'
import type { Services } from '../server/context'
import { createContext } from '../server/context'

/** Stand in what is built for what only a running server knows. */
export const PLACES = { origin: 'https://origin.invalid', supportEmail: 'support@origin.invalid' }

/** What a page that everyone may read says of the server that it is on. */
export type Site = { origin: string; supportEmail: string }

export const withSite = (html: string, { origin, supportEmail }: Site): string =>
  html
    // Given as functions: in a text, a dollar sign would name what was found.
    .replaceAll(PLACES.origin, () => Bun.escapeHTML(origin))
    .replaceAll(PLACES.supportEmail, () => Bun.escapeHTML(supportEmail))

/** How the app and the pages without it are served: built, or as they are edited. */
export type Page = {
  /** Of the public pages. */
  paths: string[]
  app(request: Request): Answer
  publicPage(request: Request, path: string, site: Site): Answer
  /** A file by its path; null where the path is the app's affair. */
  file?(request: Request): Response | null
  /** Where Bun answers everything else by itself; `answer` is for what it cannot. */
  routes?(answer: (request: Request) => Promise<Response>): Serve.Routes<undefined, string>
}
type Answer = Response | Promise<Response>

/** Everything that is no call: the public pages come without the app, the front page for whoever is signed out. */
export function mountPage(app: Elysia, services: Services, page: Page): void {
  const site = () => ({ origin: services.origin(), supportEmail: services.config.supportEmail })
  app.get('/', async ({ request }) => {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const session = await sessionOf(services, request, headers)
    const answer = await (session ? page.app(request) : page.publicPage(request, '/', site()))
    // It is another page once one signs in or out, also for the back button.
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

/** The app knows it by more than one address, Stripe is let in at one (headers.ts). */
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

/** Where that cannot be told, the app comes, and says so. */
const sessionOf = (services: Services, request: Request, headers: Headers) =>
  createContext(services, request, headers).then(
    ({ session }) => session,
    () => 'unknown',
  )

const text = (type: string, body: string) =>
  new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })

/** What is nobody's business, or nothing to be found: calls, and addresses that hold tokens. */
const NOT_TO_BE_READ = ['/api/', '/auth/', '/board/', '/invite', '/trpc/', '/unsubscribe', '/uploads/']

const robots = (origin: string) =>
  text(
    'text/plain;charset=utf-8',
    ['User-agent: *', ...NOT_TO_BE_READ.map((path) => `Disallow: ${path}`), `Sitemap: ${origin}/sitemap.xml`, ''].join('\n'),
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
