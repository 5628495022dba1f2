import type { HTMLBundle } from 'bun'
import { publicFile } from './builtPage'
import type { Page, Site } from './pageRoutes'

type Sources = {
  app: HTMLBundle
  template: HTMLBundle
  renderPages(template: string, site: Site): Map<string, string>
}

const TEMPLATE = '/public-page.html'
const CALLS = ['/api/*', '/trpc/*', '/uploads/*', '/health', '/ws', '/robots.txt', '/sitemap.xml']

/** Only routes of Bun's own can bundle, so what they answer is fetched. */
export function developmentPage({ app, template, renderPages }: Sources): Page {
  const bundled = async (request: Request, path: string) => (await fetch(new URL(path, request.url))).text()
  const paths = [...renderPages('', { origin: '', supportEmail: '' }).keys()]
  return {
    paths,
    app: async (request) => page(await bundled(request, '/login')),
    publicPage: async (request, path, site) => page(renderPages(await bundled(request, TEMPLATE), site).get(path) ?? ''),
    routes: (answer) => ({
      '/*': app,
      [TEMPLATE]: template,
      '/images/*': publicFile,
      ...Object.fromEntries([...CALLS, ...paths].map((path) => [path, answer])),
    }),
  }
}

/** Hot reloading uses inline scripts and blobs. */
const POLICY = "default-src 'self' data: blob: ws: 'unsafe-inline' 'unsafe-eval'"

const page = (html: string) =>
  new Response(html, { headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': POLICY } })
