import { whenIdle } from './scheduling'

/** Has the service worker store what the app needs to open offline. Does nothing in development. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  if (process.env.NODE_ENV !== 'production') void unregister()
  else if (document.readyState === 'complete') whenIdle(register)
  else window.addEventListener('load', () => whenIdle(register), { once: true })
}

/** If the browser refuses, as in some private windows, the app works without it. */
const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {})

async function unregister() {
  await (await navigator.serviceWorker.getRegistration())?.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
}

/** The build lists them in the HTML. */
const named = (): string[] => JSON.parse(document.getElementById('scripts')?.textContent || '[]')

/** Loads all scripts in advance without running them, because the server may be unreachable when they are needed. */
export async function preloadScripts(): Promise<void> {
  for (const path of named()) await preload(path)
}

const preload = (href: string) =>
  new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      crossOrigin: '',
      fetchPriority: 'low',
      href,
    })
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
