import { clear, createStore, delMany, entries } from 'idb-keyval'
import { lazy } from '../lazy'

/** A user's data in the browser. The stores and localStorage have it only while the session is remembered. */
export const hasStores = typeof indexedDB !== 'undefined'
export const answersStore = lazy(() => createStore(ANSWERS, 'answers'))
export const changesStore = lazy(() => createStore(CHANGES, 'changes'))
const [ANSWERS, CHANGES] = ['wrk answers', 'wrk changes']

/** Key prefixes of unsaved text in a tab, which its owner finds again after having to sign in. */
export const DRAFT = 'draft:'
export const DRAFTS_OF = 'drafts of'
export const CHANGE = 'change:'
const TYPED = [DRAFT, DRAFTS_OF, CHANGE]

/** Marks an open tab, whose changes are its own. */
export const lockOf = (tab: string) => `wrk tab ${tab}`

/** Without locks, as over plain http, every tab counts as closed: sending a change twice has one effect. */
export async function openTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => name ?? []))
}

/** Called when signed out; other tabs keep their own unsent changes. */
export async function clearStorages(keeps: string[]): Promise<void> {
  const isKept = (key: string) => keeps.includes(key) || TYPED.some((beginning) => key.startsWith(beginning))
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (!isKept(key)) storage.removeItem(key)
  if (!hasStores) return
  const names = (await indexedDB.databases()).map(({ name }) => name)
  if (names.includes(ANSWERS)) await clear(answersStore())
  if (!names.includes(CHANGES)) return
  const open = await openTabs()
  const changes = await entries<string, { tab: string }>(changesStore())
  await delMany(
    changes.filter(([, { tab }]) => !open.has(lockOf(tab))).map(([key]) => key),
    changesStore(),
  )
}
