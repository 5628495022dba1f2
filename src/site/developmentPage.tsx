import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { INPUT, type Renderer } from './bundle'
import { createPage, type HostSettings, type Page } from './page'
import { config } from './vite'

/** Scripts and styles come from Vite's own server, which reloads them as they are edited. */
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
      entrance: assets(INPUT.style, INPUT.entrance),
      publicPage: assets(INPUT.publicStyle, INPUT.page),
      scripts: [],
    },
    settings,
    [],
  )
  const policy = `default-src 'self' ${origin} data: blob: ws: https://*.stripe.com 'unsafe-inline' 'unsafe-eval'`
  const permit = (answer: Response) => {
    answer.headers.set('Content-Security-Policy', policy)
    return answer
  }
  return {
    app: async (...given) => permit(await page.app(...given)),
    publicPage: async (...given) => permit(await page.publicPage(...given)),
    entrance: async (...given) => permit(await page.entrance(...given)),
    file: page.file,
  }
}

/** As the documentation of Vite and its React plugin says for pages that another server sends. */
const ReloadScripts = ({ origin }: { origin: string }) => (
  <>
    <script type="module" dangerouslySetInnerHTML={{ __html: react.preambleCode.replace('__BASE__', origin) }} />
    <script type="module" src={`${origin}@vite/client`} />
  </>
)
