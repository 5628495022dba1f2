import type { HTMLBundle } from 'bun'
import { publicFile } from './page'
import type { Page, Site } from './publicPages'

/** What Bun's development server bundles as it is asked for, and what makes the public pages of `template`. */
type Sources = {
  app: HTMLBundle
  template: HTMLBundle
  renderPages(template: string, site: Site): Map<string, string>
}

const TEMPLATE = '/public-page.html'

/** The page as it is edited. Only routes of Bun's can bundle, so what they answer is asked of them. */
export function developmentPage({ app, template, renderPages }: Sources): Page {
  const bundled = (request: Request, path: string) => fetch(new URL(path, request.url))
  const paths = [...renderPages('', { origin: '', supportEmail: '' }).keys()]
  const calls = ['/api/*', '/trpc/*', '/uploads/*', '/health', '/ws', '/robots.txt', '/sitemap.xml']
  return {
    paths,
    app: (request) => bundled(request, '/login'),
    async publicPage(request, path, site) {
      const html = renderPages(await (await bundled(request, TEMPLATE)).text(), site).get(path)
      return new Response(html, { headers: { 'Content-Type': 'text/html;charset=utf-8' } })
    },
    file: () => null,
    routes: (answer) => ({
      '/*': app,
      [TEMPLATE]: template,
      '/images/*': publicFile,
      ...Object.fromEntries([...calls, ...paths].map((path) => [path, answer])),
    }),
  }
}
