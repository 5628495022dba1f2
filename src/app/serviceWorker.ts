export {}

declare const self: ServiceWorkerGlobalScope

/** What the app needs to open without a connection, put in by the build. */
declare const SHELL: { version: string; script: string; files: string[]; publicPages: string[] }

const { version, script, ...shell } = SHELL
const PREFIX = 'shell '
const CACHE = PREFIX + version
/** The app's HTML is the same for everyone who is signed out. */
const APP = '/index.html'
const PATIENCE_MS = 3_000

/** Paths that only the server answers; the payment page has its own security policy and never works offline. */
const CALLS = /^\/(api|auth|health|images|setup|subscribe|trpc|uploads|ws)(\/|$)/
const publicPages = new Set(shell.publicPages)
const files = new Set(shell.files)

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOldShells(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { method, mode, referrer, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin) return
  if (files.has(pathname) || pathname.startsWith('/assets/')) event.respondWith(openFile(event.request))
  else if (mode === 'navigate' && !CALLS.test(pathname) && !publicPages.has(pathname) && !isSentBack(pathname, referrer))
    event.respondWith(openApp(event.request))
})

async function keepShell() {
  const answer = await fetch(APP, { cache: 'reload', credentials: 'omit' })
  const html = await answer.clone().text()
  if (!html.includes(script)) throw new Error('the server has another build')
  const cache = await caches.open(CACHE)
  await cache.addAll(shell.files.map((file) => new Request(file, { priority: 'low' })))
  await cache.put(APP, answer)
}

/** Pages of the previous build may still be open and load more of their files. */
async function forgetOldShells() {
  const shells = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)))
}

const openFile = async (request: Request) => (await caches.match(request.url)) ?? fetch(request)

async function openApp(request: Request): Promise<Response> {
  const answering = fetch(request)
  const answer = await Promise.race([answering.catch(() => null), patience()])
  if (answer && answer.status < 500) return answer
  return (await caches.match(APP, { cacheName: CACHE })) ?? answering
}

const patience = () => new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null))

/** Where nobody is signed in, the app at / asks the server for the landing page: it must not be given itself again. */
const isSentBack = (pathname: string, referrer: string) => pathname === '/' && URL.parse(referrer)?.pathname === '/'
