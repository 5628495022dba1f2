import type { HTMLBundle } from 'bun'
import { publicFile } from './builtPage'
import type { Page, Site } from './pageRoutes'

/** What Bun's development server bundles as it is asked for, and what makes the public pages of `template`. */
type Sources = {
  app: HTMLBundle
  template: HTMLBundle
  renderPages(template: string, site: Site): Map<string, string>
}

const TEMPLATE = '/public-page.html'
const CALLS = ['/api/*', '/trpc/*', '/uploads/*', '/health', '/ws', '/robots.txt', '/sitemap.xml']

/** The page as it is edited. Only routes of Bun's can bundle, so what they answer is asked of them. */
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

/** What brings edited modules is a script within the page, and more of them as blobs. */
const POLICY = "default-src 'self' data: blob: ws: 'unsafe-inline' 'unsafe-eval'"

const page = (html: string) =>
  new Response(html, { headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': POLICY } })
