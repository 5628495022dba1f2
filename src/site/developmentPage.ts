import entrance from '../app/entrance.html'
import app from '../app/index.html'
import { publicFile } from './builtPage'
import { renderEntrances } from './entrance'
import { entranceHtml } from './entranceHtml'
import { ENTRANCE_PATHS, type Page, withSite } from './pageRoutes'
import template from './public/page.html'
import { renderPages } from './public/pages'

const TEMPLATE = '/public-page.html'
const ENTRANCE_TEMPLATE = '/entrance-page.html'
const CALLS = ['/api/*', '/trpc/*', '/uploads/*', '/health', '/ready', '/metrics', '/ws', '/robots.txt', '/sitemap.xml']

/** Only routes of Bun's own can bundle, so what they answer is fetched. */
export function developmentPage(): Page {
  const bundled = async (request: Request, path: string) => (await fetch(new URL(path, request.url))).text()
  const paths = [...renderPages('', { origin: '', supportEmail: '' }).keys()]
  return {
    paths,
    app: async (request) => page(await bundled(request, '/index.html')),
    publicPage: async (request, path, site) =>
      page(withSite(renderPages(await bundled(request, TEMPLATE), site).get(path) ?? '', site)),
    entrance: async (request, name, options, isRendered) => {
      const html = renderEntrances(await bundled(request, ENTRANCE_TEMPLATE), options).get(name) ?? ''
      return page(entranceHtml(html, options, isRendered))
    },
    routes: (answer) => ({
      '/*': app,
      [TEMPLATE]: template,
      [ENTRANCE_TEMPLATE]: entrance,
      '/images/*': publicFile,
      ...Object.fromEntries([...CALLS, ...paths, ...ENTRANCE_PATHS].map((path) => [path, answer])),
    }),
  }
}

/** Hot reloading uses inline scripts and blobs. */
const POLICY = "default-src 'self' data: blob: ws: 'unsafe-inline' 'unsafe-eval'"

const page = (html: string) =>
  new Response(html, { headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': POLICY } })
