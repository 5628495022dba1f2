import type { HTMLBundle } from 'bun'
import type { Entrance, SignInOptions } from '../auth/basics'
import { publicFile } from './builtPage'
import { entranceHtml } from './entranceHtml'
import { ENTRANCE_PATHS, type Page, type Site, withSite } from './pageRoutes'

type Sources = {
  app: HTMLBundle
  template: HTMLBundle
  entrance: HTMLBundle
  renderPages(template: string, site: Site): Map<string, string>
  renderEntrances(template: string, options: SignInOptions): Map<Entrance, string>
}

const TEMPLATE = '/public-page.html'
const ENTRANCE_TEMPLATE = '/entrance-page.html'
const CALLS = ['/api/*', '/trpc/*', '/uploads/*', '/health', '/ready', '/metrics', '/ws', '/robots.txt', '/sitemap.xml']

/** Only routes of Bun's own can bundle, so what they answer is fetched. */
export function developmentPage({ app, template, entrance, renderPages, renderEntrances }: Sources): Page {
  const bundled = async (request: Request, path: string) => (await fetch(new URL(path, request.url))).text()
  const paths = [...renderPages('', { origin: '', supportEmail: '' }).keys()]
  return {
    paths,
    app: async (request) => page(await bundled(request, '/index.html')),
    publicPage: async (request, path, site) =>
      page(withSite(renderPages(await bundled(request, TEMPLATE), site).get(path) ?? '', site)),
    entrance: async (request, entrance, options, isRendered) => {
      const html = renderEntrances(await bundled(request, ENTRANCE_TEMPLATE), options).get(entrance) ?? ''
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
