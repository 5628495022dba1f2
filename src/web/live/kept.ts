import { createStore, del, entries, set } from 'idb-keyval'
import { lazy } from '../../schema'
import { noteAlias } from './aliases'

/** A change as it is kept in the browser until it is answered. */
export type Kept = {
  key: string
  name: string
  boardId: number
  input: unknown
  id: number
  at: number
  /** Whether `at` is known to be the server's time: a change is repeated as it was sent first. */
  isTimed: boolean
  /** Sent again by someone who has read why it was refused. */
  isForced?: true
  about?: string | undefined
}

/** What the server refused after it had been kept; `text` is what was typed. */
export type Refused = Kept & { title: string; reason: string; text: string }

type Stored = { userId: number; tab: string; order: number } & (
  | { kind: 'change'; change: Kept }
  | { kind: 'refused'; change: Refused }
  | { kind: 'alias'; id: number; stored: number }
)

export const keepsChanges = typeof indexedDB !== 'undefined'

const store = lazy(() => createStore('wrk changes', 'changes'))
const tab = Math.random().toString(36).slice(2)
const lockOf = (name: string) => `wrk tab ${name}`

let owner: number | undefined
let order = 0

export const ownerOfChanges = (): number | undefined => owner

const complain = (error: unknown) => console.warn('The browser keeps nothing', error)

const put = (key: string, value: Stored) => void set(key, value, store()).catch(complain)
const drop = (key: string) => void del(key, store()).catch(complain)

/** Says whose changes are kept from now on, and holds what marks them as this tab's. */
export function keepChangesOf(userId: number): void {
  if (owner === userId) return
  owner = userId
  // Held until the page is gone.
  void navigator.locks?.request(lockOf(tab), () => new Promise(() => {}))
}

function own(): { userId: number; tab: string; order: number } | undefined {
  order += 1
  // Later pages come after earlier ones.
  return owner === undefined || !keepsChanges ? undefined : { userId: owner, tab, order: Date.now() * 1_000 + (order % 1_000) }
}

export function keep({ key, name, boardId, input, id, at, isTimed, isForced, about }: Kept): void {
  const by = own()
  if (by)
    put(key, {
      ...by,
      kind: 'change',
      change: { key, name, boardId, input, id, at, isTimed, about, ...(isForced && { isForced }) },
    })
}

export function keepRefused(change: Refused): void {
  const by = own()
  if (by) put(change.key, { ...by, kind: 'refused', change })
}

export const letGo = (key: string): void => {
  if (keepsChanges) drop(key)
}

const keptAliases = new Set<number>()

/** What later changes call by the id that it had. */
export function keepAlias(id: number, stored: number): void {
  const by = own()
  if (!by) return
  keptAliases.add(id)
  put(`alias ${id}`, { ...by, kind: 'alias', id, stored })
}

/** Of pages that are gone. */
async function left(): Promise<[key: string, Stored][]> {
  if (!keepsChanges) return []
  const [all, living] = await Promise.all([entries<string, Stored>(store()), livingTabs()])
  return all.filter(([, found]) => found.userId === owner && found.tab !== tab && !living.has(lockOf(found.tab)))
}

export const isAnythingLeft = async (): Promise<boolean> => (await left()).length > 0

/** Each once: what this build does not know is left where it is. */
const awaited = new Set<string>()

/** Calls `adopt` once a page is gone that has kept changes: a closed one may still be there when the next begins. */
export async function whenPagesGo(adopt: () => void): Promise<void> {
  const all = keepsChanges ? await entries<string, Stored>(store()) : []
  for (const [, found] of all) {
    if (found.userId !== owner || found.tab === tab || awaited.has(found.tab)) continue
    awaited.add(found.tab)
    void navigator.locks?.request(lockOf(found.tab), () => {}).then(adopt)
  }
}

/** The changes of pages that are gone, oldest first, which are this tab's from now on. */
export async function adopt(knows: (name: string) => boolean): Promise<{ changes: Kept[]; refused: Refused[] }> {
  const isKnown = (found: Stored) => found.kind !== 'change' || knows(found.change.name)
  const found = (await left()).filter(([, one]) => isKnown(one)).toSorted(([, a], [, b]) => a.order - b.order)
  for (const [, one] of found) {
    if (one.kind !== 'alias') continue
    keptAliases.add(one.id)
    noteAlias(one.id, one.stored)
  }
  for (const [key, one] of found) put(key, { ...one, tab })
  return {
    changes: found.flatMap(([, one]) => (one.kind === 'change' ? [one.change] : [])),
    refused: found.flatMap(([, one]) => (one.kind === 'refused' ? [one.change] : [])),
  }
}

/** Without locks, as over plain http, every other tab counts as gone: what is sent twice has one effect. */
async function livingTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => name ?? []))
}

export async function keptElsewhere(): Promise<number> {
  if (!keepsChanges) return 0
  const all = await entries<string, Stored>(store())
  return all.filter(([, found]) => found.userId === owner && found.tab !== tab && found.kind !== 'alias').length
}

/** After the sign-out, nothing of the user stays. */
export async function forgetChanges(): Promise<void> {
  if (!keepsChanges) return
  for (const [key, { userId }] of await entries<string, Stored>(store())) if (userId === owner) await del(key, store())
}

/** Nobody asks for them any more. */
export function forgetAliases(): void {
  for (const id of keptAliases) drop(`alias ${id}`)
  keptAliases.clear()
}
