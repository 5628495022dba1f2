import { clear, createStore, delMany, entries } from 'idb-keyval'
import { lazy } from '../lazy'

/** What the browser keeps of somebody. In the stores and in localStorage it is there only while their session is remembered. */
export const hasStores = typeof indexedDB !== 'undefined'
export const answersStore = lazy(() => createStore(ANSWERS, 'answers'))
export const changesStore = lazy(() => createStore(CHANGES, 'changes'))
const [ANSWERS, CHANGES] = ['wrk answers', 'wrk changes']

/** How the keys begin of what was typed in a tab and not saved: its owner finds it again who has to sign in meanwhile. */
export const DRAFT = 'draft:'
export const DRAFTS_OF = 'drafts of'
export const CHANGE = 'change:'
const TYPED = [DRAFT, DRAFTS_OF, CHANGE]

/** Marks a tab that is open, whose changes are its own. */
export const lockOf = (tab: string) => `wrk tab ${tab}`

/** Without locks, as over plain http, every tab counts as gone: what is sent twice has one effect. */
export async function openTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => name ?? []))
}

/** Where nobody is signed in; what other tabs have not sent yet is theirs to take along. */
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
