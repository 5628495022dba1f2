import type { Page } from 'playwright-core'

/** As when another tab comes to the front: what is to be kept is written. */
export function hide() {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** All that this origin has in the browser, as text. */
export const everything = (page: Page) => page.evaluate(readStorages)

async function readStorages(): Promise<string> {
  const stores: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
    })
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store)
      for (const asked of [all.getAllKeys(), all.getAll()]) {
        await new Promise((resolve) => {
          asked.onsuccess = resolve
        })
        stores.push(...asked.result)
      }
    }
    database.close()
  }
  const cached: string[] = []
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) cached.push(new URL(url).pathname)
  }
  return JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage }, stores, cached })
}
