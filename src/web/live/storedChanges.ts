import { clear, del, entries, set } from 'idb-keyval'
import { ownerOfPage, setOwnerOfPage } from '../client'
import { CHANGE, changesStore, hasStores, lockOf, openTabs } from '../personalStorage'
import { noteStoredId } from './temporaryIds'

/** A change as stored in the browser until it is answered. */
export type KeptChange = {
  key: string
  name: string
  boardId: number
  input: unknown
  id: number
  at: number
  /** Whether `at` is the server's time: a change is resent exactly as it was first sent. */
  isTimed: boolean
  /** Made while no earlier change could still be refused, so its revisions are the server's. */
  isSettled?: boolean | undefined
  /** When its author resent it after a refusal. */
  forcedAt?: number | undefined
  about?: string | undefined
}

/** A change refused after it had been stored; `text` is what was typed. */
export type Refused = KeptChange & { title: string; reason: string; text: string }

type Stored = { userId: number; tab: string; order: number } & (
  | { kind: 'change'; change: KeptChange }
  | { kind: 'refused'; change: Refused }
  | { kind: 'alias'; id: number; stored: number }
)

const tab = Math.random().toString(36).slice(2)

let order = 0

/** In the browser if the session is remembered, else in the tab; nowhere after a sign-out, or without a store. */
let place: 'browser' | 'tab' | 'nowhere' = 'nowhere'
let isLeaving = false

/** Whether unsent changes are lost with the tab. */
export const endsWithTab = (): boolean => notKept.size > 0 || (place !== 'browser' && !isLeaving)

const notKept = new Set<string>()

const complain = (error: unknown) => console.warn('The browser cannot store anything', error)

async function put(key: string, value: Stored) {
  try {
    await putIn(place, key, value)
    notKept.delete(key)
  } catch (error) {
    complain(error)
    notKept.add(key)
  }
}

async function putIn(where: typeof place, key: string, value: Stored) {
  if (where === 'browser') {
    await set(key, value, changesStore())
    sessionStorage.removeItem(CHANGE + key)
  } else if (where === 'tab') {
    sessionStorage.setItem(CHANGE + key, JSON.stringify(value))
    hold(key)
    await del(key, changesStore())
  }
}

export function drop(key: string): void {
  if (place === 'nowhere') return
  notKept.delete(key)
  sessionStorage.removeItem(CHANGE + key)
  held.get(key)?.()
  held.delete(key)
  void del(key, changesStore()).catch(complain)
}

const held = new Map<string, () => void>()
const UNSENT = 'wrk unsent '

/** Its lock shows other tabs that this one has changes. */
function hold(key: string) {
  if (held.has(key)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  held.set(key, resolve)
  void navigator.locks?.request(`${UNSENT}${tab} ${key}`, () => promise)
}

async function allStored(): Promise<[key: string, Stored][]> {
  if (place === 'nowhere') return []
  const here = Object.keys(sessionStorage).filter((key) => key.startsWith(CHANGE))
  return [
    // Stored above.
    ...here.map((key): [string, Stored] => [key.slice(CHANGE.length), JSON.parse(sessionStorage.getItem(key) ?? '')]),
    ...(await entries<string, Stored>(changesStore())),
  ]
}

/** Sets whose changes are stored from now on, and whether beyond the tab. Deletes what other people left. */
export async function keepChangesOf(userId: number, remembered: boolean): Promise<void> {
  // Held until the page closes.
  if (ownerOfPage() === undefined) void navigator.locks?.request(lockOf(tab), () => new Promise(() => {}))
  setOwnerOfPage(userId)
  if (hasStores) place = remembered ? 'browser' : 'tab'
  for (const [key, found] of await allStored()) {
    if (found.userId !== userId) drop(key)
    else {
      order = Math.max(order, found.order)
      if (found.tab === tab) void put(key, found)
    }
  }
}

/** The session ended without a sign-out: its owner finds their unsent changes again in this tab. */
export async function keepChangesInTab(): Promise<void> {
  isLeaving = true
  if (place === 'browser') place = 'tab'
  const open = await openTabs()
  for (const [key, found] of await allStored())
    if (found.userId === ownerOfPage() && (found.tab === tab || !open.has(lockOf(found.tab)))) await putIn('tab', key, found)
}

function own(): { userId: number; tab: string; order: number } | undefined {
  // Sorts later pages after earlier ones.
  order = Math.max(order + 1, Date.now() * 1_000)
  const userId = ownerOfPage()
  return userId === undefined ? undefined : { userId, tab, order }
}

/** Without the parts that only pending changes have. */
export const keptOf = ({ key, name, boardId, input, id, at, isTimed, isSettled, forcedAt, about }: KeptChange): KeptChange => ({
  key,
  name,
  boardId,
  input,
  id,
  at,
  isTimed,
  isSettled,
  forcedAt,
  about,
})

export function keep(change: KeptChange): void {
  const by = own()
  if (by) void put(change.key, { ...by, kind: 'change', change: keptOf(change) })
}

export function keepRefused(change: Refused): void {
  const by = own()
  if (by) void put(change.key, { ...by, kind: 'refused', change })
}

const keptAliases = new Set<number>()

/** Later changes still use the temporary id. */
export function keepAlias(id: number, stored: number): void {
  const by = own()
  if (!by) return
  keptAliases.add(id)
  void put(`alias ${id}`, { ...by, kind: 'alias', id, stored })
}

async function ofGonePages(): Promise<[key: string, Stored][]> {
  const [kept, open] = await Promise.all([allStored(), openTabs()])
  return kept.filter(([, found]) => found.userId === ownerOfPage() && found.tab !== tab && !open.has(lockOf(found.tab)))
}

export const isAnythingLeft = async (): Promise<boolean> => (await ofGonePages()).length > 0

const awaitedTabs = new Set<string>()

/** Calls `adopt` once a page with stored changes is gone: a closed page may still exist when the next one starts. */
export async function whenPagesGo(adopt: () => void): Promise<void> {
  for (const [, found] of await allStored()) {
    if (found.userId !== ownerOfPage() || found.tab === tab || awaitedTabs.has(found.tab)) continue
    awaitedTabs.add(found.tab)
    void navigator.locks?.request(lockOf(found.tab), () => {}).then(adopt)
  }
}

type Adopted = { changes: KeptChange[]; refused: Refused[] }

/** Changes of closed pages, oldest first, which now belong to this tab, and to no other that looks at the same time. */
export const adopt = (knows: (name: string) => boolean): Promise<Adopted> =>
  navigator.locks?.request('wrk adopt', () => takeOver(knows)) ?? takeOver(knows)

async function takeOver(knows: (name: string) => boolean): Promise<Adopted> {
  const isKnown = (found: Stored) => found.kind !== 'change' || knows(found.change.name)
  const found = (await ofGonePages()).filter(([, one]) => isKnown(one)).toSorted(([, a], [, b]) => a.order - b.order)
  for (const [, one] of found) {
    if (one.kind !== 'alias') continue
    keptAliases.add(one.id)
    noteStoredId(one.id, one.stored)
  }
  await Promise.all(found.map(([key, one]) => put(key, { ...one, tab })))
  return {
    changes: found.flatMap(([, one]) => (one.kind === 'change' ? [one.change] : [])),
    refused: found.flatMap(([, one]) => (one.kind === 'refused' ? [one.change] : [])),
  }
}

export async function keptElsewhere(): Promise<number> {
  const kept = (await allStored()).filter(
    ([, found]) => found.userId === ownerOfPage() && found.tab !== tab && found.kind !== 'alias',
  )
  const inTabs = [...(await openTabs())].filter((name) => name.startsWith(UNSENT) && !name.startsWith(UNSENT + tab))
  return kept.length + inTabs.length
}

export async function forgetChanges(): Promise<void> {
  isLeaving = true
  place = 'nowhere'
  if (hasStores) await clear(changesStore())
}

/** All changes are sent: no input contains a temporary id any more. */
export function forgetAliases(): void {
  for (const id of keptAliases) drop(`alias ${id}`)
  keptAliases.clear()
}
