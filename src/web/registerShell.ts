import { whenIdle } from './whenIdle'

/** Has the service worker keep what the app needs to open without a connection. In development nothing is kept. */
export function registerShell(): void {
  if (!('serviceWorker' in navigator)) return
  if (process.env.NODE_ENV !== 'production') void unregister()
  else if (document.readyState === 'complete') whenIdle(register)
  else window.addEventListener('load', () => whenIdle(register), { once: true })
}

/** Where the browser refuses, as in some private windows, the app works without. */
const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {})

async function unregister() {
  await (await navigator.serviceWorker.getRegistration())?.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
}
