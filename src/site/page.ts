import { join } from 'node:path'
import type { SignInOptions, SignInScreen } from '../auth/limits'
import { log } from '../log'
import type { Settings } from '../protocol'
import { plainCookieIn } from '../server/cookies'
import { type Bundle, DIST, loadBundle, type Renderer, ROOT } from './bundle'
import { filesOf, HTML, type StaticFile, send, sendOnce, toStaticFile } from './files'
import { firstCalls, type PublicPath, type Site, screenAt } from './paths'
import type { InitialView } from './render'

const PUBLIC = join(ROOT, 'public')

export type HostSettings = Omit<Settings, 'build'>

export type Page = {
  app(request: Request, initial?: InitialView): Promise<Response>
  publicPage(request: Request, path: PublicPath, site: Site): Promise<Response>
  /** Without `whole`, React renders it only in the browser, which knows about an invitation or setup link. */
  signIn(request: Request, screen: SignInScreen, options: SignInOptions, whole: boolean): Promise<Response>
  file(request: Request): Response | null
}

/** Throws if the page is not built. */
export const builtPage = (settings: HostSettings): Page =>
  createPage(
    loadBundle(),
    settings,
    filesOf(DIST).filter(([name]) => name.startsWith('/assets/') || name === '/sw.js'),
    true,
  )

export function createPage(bundle: Bundle, settings: HostSettings, built: [string, StaticFile][], cachesHtml = false): Page {
  const documents = new Map<string, StaticFile>()
  const files = new Map([...filesOf(PUBLIC), ...built])
  const build = Bun.hash(bundle.scripts.join()).toString(36)

  async function open(request: Request, key: string, render: (renderer: Renderer, theme: string) => string): Promise<Response> {
    const theme = themeOf(request)
    const name = `${theme} ${key}`
    const file = documents.get(name) ?? toStaticFile(Buffer.from(render(await bundle.renderer(), theme)), HTML)
    if (cachesHtml) documents.set(name, file)
    return send(request, file)
  }

  return {
    async app(request, initial) {
      const { pathname } = new URL(request.url)
      const screen = hasSessionCookie(request) ? screenAt(pathname) : undefined
      const common = { assets: bundle.app(screen), scripts: bundle.scripts, settings: { ...settings, build } }
      const renderInitial = async () =>
        (await bundle.renderer()).renderApp({ ...common, theme: themeOf(request) }, screen, initial)
      const html = screen && initial && (await renderInitial().catch(tellFailed))
      const answer = html
        ? sendOnce(request, html)
        : await open(request, `app ${screen}`, (renderer, theme) => renderer.renderApp({ ...common, theme }, screen))
      if (screen) answer.headers.set('Link', firstCalls(pathname, zoneOf(request)).map(preloading).join(', '))
      return answer
    },
    publicPage: (request, path, site) =>
      open(request, JSON.stringify([path, site]), (renderer, theme) =>
        renderer.renderPublicPage({ assets: bundle.publicPage, theme }, path, site),
      ),
    signIn: (request, screen, options, whole) =>
      open(request, JSON.stringify([screen, options, whole]), (renderer, theme) =>
        renderer.renderSignIn({ assets: bundle.signIn, theme }, screen, options, whole),
      ),
    file(request) {
      const { pathname } = new URL(request.url)
      const file = files.get(pathname)
      if (file) return send(request, file)
      // A missing script, image or font must not be answered with the page.
      return /^\/(assets|images)\//.test(pathname) ? missing() : null
    },
  }
}

/** By the cookie alone: the page's first calls check the session. */
export const hasSessionCookie = (request: Request): boolean => plainCookieIn(request, 'session') !== undefined

const tellFailed = (error: unknown) =>
  log.error('the HTML of a page could not be rendered, so the page was sent without it', {}, error)

const preloading = (path: string) => `<${path}>; rel=preload; as=fetch; crossorigin`

const missing = () => new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/plain;charset=utf-8' } })

/** In a cookie, so that the first paint has the chosen theme. */
function themeOf(request: Request) {
  const theme = plainCookieIn(request, 'theme')
  return theme === 'light' || theme === 'dark' ? theme : ''
}

const ZONE = /^[\w+%-]{1,99}$/

/** Also in a cookie: which day it is depends on the time zone. */
export function zoneOf(request: Request): string | undefined {
  const zone = plainCookieIn(request, 'zone')
  try {
    return zone && ZONE.test(zone) ? decodeURIComponent(zone) : undefined
  } catch {
    return undefined
  }
}
