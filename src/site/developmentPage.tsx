import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { INPUT, type Renderer } from './bundle'
import { createPage, type HostSettings, type Page } from './page'
import { config } from './vite'

/** Scripts and styles come from Vite's own server, which reloads them on every edit. */
export async function developmentPage(settings: HostSettings): Promise<Page> {
  const vite = await createServer(config)
  await vite.listen()
  const origin = vite.resolvedUrls?.local[0]
  if (!origin) throw new Error('Vite has no address')
  const assets = (styles: string, script: string) => ({
    styles: origin + styles,
    script: origin + script,
    modules: [],
    development: <ReloadScripts origin={origin} />,
  })
  const page = createPage(
    {
      renderer: async () => (await vite.ssrLoadModule('/src/site/render.tsx')) as Renderer,
      app: () => assets(INPUT.style, INPUT.index),
      signIn: assets(INPUT.style, INPUT.signIn),
      publicPage: assets(INPUT.publicStyle, INPUT.page),
      scripts: [],
    },
    settings,
    [],
  )
  const policy = `default-src 'self' ${origin} data: blob: ws: https://*.stripe.com 'unsafe-inline' 'unsafe-eval'`
  const permitted =
    <Given extends unknown[]>(answer: (...given: Given) => Promise<Response>) =>
    async (...given: Given) => {
      const response = await answer(...given)
      response.headers.set('Content-Security-Policy', policy)
      return response
    }
  const { app, publicPage, signIn, file } = page
  return { app: permitted(app), publicPage: permitted(publicPage), signIn: permitted(signIn), file }
}

/** As documented by Vite and its React plugin for pages from another server. */
const ReloadScripts = ({ origin }: { origin: string }) => (
  <>
    <script type="module" dangerouslySetInnerHTML={{ __html: react.preambleCode.replace('__BASE__', origin) }} />
    <script type="module" src={`${origin}@vite/client`} />
  </>
)
