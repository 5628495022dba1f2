import { useSyncExternalStore } from 'react'
import type { ServerMessage } from '../../protocol'
import { failureText, type MutationTexts, queryClient, tellRefusal, tellSuccess } from '../queryClient'
import { refusalOf } from '../refusal'
import { serverNow } from '../serverClock'
import type { Call } from '../trpc'
import { renameDrafts } from '../useDraft'
import { aliasOf, noteAlias, resolved, temporaryId } from './aliases'
import { isUnreachable, nextTry, serverAnswered, serverUnreachable, watchConnection, whetherReachable } from './connection'
import { forgetAliases, type Kept, keep, keepAlias, letGo, type Refused } from './kept'
import { answered, shownVersion } from './liveQuery'
import { isAnnounced } from './messageHandlers'
import type { Change } from './reducers'
import { dismissRefused, putAside } from './refused'
import type { LiveBoard } from './snapshot'

/**
 * Changes of boards: each is predicted, kept in the browser until it is answered, and sent in the order in which it was
 * made. The prediction lies over the live cache until the channel has brought what the answer names.
 */
export type ChangeKind<Input, Answer, Board extends LiveBoard = LiveBoard> = {
  /** Kept changes are found by it, also after an update of the page. */
  name: string
  send(input: Input, call: Call, made: Made): Promise<Answer>
  /** What the server will make of it; `board` is undefined where the page does not hold it. */
  predict?(input: Input, made: Made, board: Board | undefined): Change[]
  /** Its form waits for the answer: predicted only once the server cannot be reached. */
  waits?: true
  /** Never kept: refused where the server cannot be reached. */
  online?: true
  /** What it creates: so it is named in its messages. The answer is that thing. */
  creates?: 'task' | 'comment' | 'entry'
  /** What was typed, for whoever has to copy it after a refusal. */
  textOf?(input: Input): string
  texts?: MutationTexts<Answer, Input>
}

/** `id` is what a creation is called until the server says; `at` is the server's time of the click. */
export type Made = Pick<Pending, 'boardId' | 'id' | 'at' | 'isLate' | 'isForced'>
type AnyKind = ChangeKind<never, unknown, never>

export type Pending = Kept & { isLate: boolean; version?: number | undefined; isAnswered?: boolean }
export type Outcome<Answer> = { id: number; answer?: Answer }

const kinds = new Map<string, AnyKind>()
let pending: readonly Pending[] = []
const outcomes = new Map<string, { settle(outcome: Outcome<unknown> | undefined): void }>()
const watchers = new Set<() => void>()

function set(next: readonly Pending[]) {
  pending = next
  for (const watcher of watchers) watcher()
}
const update = (key: string, changes: Partial<Pending>) =>
  set(pending.map((change) => (change.key === key ? { ...change, ...changes } : change)))
const remove = (key: string) => set(pending.filter((change) => change.key !== key))

/** Defines a kind of change. */
export function changeKind<Input, Answer, Board extends LiveBoard = LiveBoard>(kind: ChangeKind<Input, Answer, Board>) {
  kinds.set(kind.name, kind as AnyKind)
  return kind
}

export const kindOf = (name: string): AnyKind | undefined => kinds.get(name)

const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')

/** Resolves with the answer, or without one as soon as the change is kept to be sent later; undefined when refused. */
export function submit<Input, Answer>(
  boardId: number,
  { name }: Pick<ChangeKind<Input, Answer>, 'name' | 'send'>,
  input: Input,
): Promise<Outcome<Answer> | undefined> {
  const change = { key: randomKey(), name, boardId, input, id: temporaryId(), at: serverNow(), isLate: false }
  // Only this kind's answers reach it.
  return begin(change) as Promise<Outcome<Answer> | undefined>
}

/** Sends what was refused once more, over what others have changed meanwhile. */
export function submitAgain(refused: Refused): void {
  dismissRefused(refused)
  const { name, boardId, input, id, at } = refused
  void begin({ name, boardId, input, id, at, key: randomKey(), isLate: true, isForced: true })
}

function begin(change: Pending): Promise<Outcome<unknown> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outcome<unknown> | undefined>()
  outcomes.set(change.key, { settle: resolve })
  set([...pending, change])
  if (isOnline(change)) void deliver(change)
  else {
    keep(change)
    if (!whetherReachable()) markLate()
    void sendAll()
  }
  return promise
}

/** Changes that an earlier page kept. */
export function resume(kept: Kept[]): void {
  const known = new Set(pending.map(({ key }) => key))
  const found = kept.filter(({ key, name }) => kinds.has(name) && !known.has(key))
  if (found.length === 0) return
  set([...found.map((change) => ({ ...change, isLate: true })), ...pending])
  void sendAll()
}

let isSending = false
async function sendAll() {
  if (isSending) return
  isSending = true
  try {
    for (let next = firstUnsent(); next; next = firstUnsent()) await deliver(next)
    forgetAliases()
  } finally {
    isSending = false
  }
}

const isOnline = ({ name }: Pending) => kinds.get(name)?.online === true
const firstUnsent = () => pending.find((change) => !change.isAnswered && !isOnline(change))

/** The form of a change that is kept does not wait for it. */
function markLate() {
  const isKept = (change: Pending) => !change.isAnswered && !isOnline(change)
  for (const { key, id } of pending.filter(isKept)) settleOutcome(key, { id })
  set(pending.map((change) => (isKept(change) ? { ...change, isLate: true } : change)))
}

function settleOutcome(key: string, outcome: Outcome<unknown> | undefined) {
  outcomes.get(key)?.settle(outcome)
  outcomes.delete(key)
}

const ANSWER_WITHIN_MS = 10_000

async function deliver(change: Pending): Promise<void> {
  const { key } = change
  for (;;) {
    const now = pending.find((one) => one.key === key)
    if (!now) return
    try {
      const answer = await attempt(now)
      return settle(pending.find((one) => one.key === key) ?? now, answer)
    } catch (error) {
      if (isUnreachable(error)) serverUnreachable()
      else serverAnswered()
      const latest = pending.find((one) => one.key === key) ?? now
      if (isOnline(now) || !(await mayTryAgain(latest, error))) return refuse(latest, error)
    }
  }
}

/** Resolves when it is time to send it again, or with false where it was refused. */
async function mayTryAgain({ isLate }: Pending, error: unknown): Promise<boolean> {
  const refusal = refusalOf(error)
  if (isUnreachable(error)) {
    console.warn('A change waits to be sent', error)
    markLate()
    await nextTry()
    return true
  }
  if (!isLate || refusal?.code !== 'TOO_MANY_REQUESTS') return false
  await new Promise((resolve) => setTimeout(resolve, (refusal.retryAfter ?? 1) * 1_000))
  return true
}

async function attempt({ name, key, input, ...made }: Pending) {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`there is no change called ${name}`)
  const given = resolved(input)
  if (!given.isComplete) throw new Error('What this belongs to was not saved.')
  const call: Call = { context: { key }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
  // A kind gets what it was submitted with.
  const answer = await kind.send(given.input as never, call, made)
  serverAnswered()
  return { answer, version: call.context.version }
}

function settle(
  { key, name, boardId, id, isLate, input }: Pending,
  { answer, version }: { answer: unknown; version?: number | undefined },
) {
  const kind = kinds.get(name)
  if (kind?.creates) named(id, (answer as { id: number }).id)
  letGo(key)
  if (version === undefined) remove(key)
  else {
    update(key, { isAnswered: true, version })
    answered(boardId, version)
  }
  settleOutcome(key, { id: aliasOf(id), answer })
  // A kind gets what it was submitted with, and what it answered.
  if (!isLate) tellSuccess(kind?.texts, answer, input as never)
  forgetShown()
}

function named(id: number, stored: number) {
  noteAlias(id, stored)
  renameDrafts(id, stored)
  if (unsent() > 1) keepAlias(id, stored)
}

function refuse(change: Pending, error: unknown) {
  const kind = kinds.get(change.name)
  remove(change.key)
  settleOutcome(change.key, undefined)
  // After the next sign-in it is sent.
  const waits = change.isLate && refusalOf(error)?.code === 'UNAUTHORIZED'
  if (!change.isLate) letGo(change.key)
  if (!change.isLate || waits) return tellRefusal(kind?.texts, error)
  const { title = 'Not saved' } = failureText(error, kind?.texts?.failure) ?? {}
  // A kind gets what it was submitted with.
  putAside(change, title, kind?.textOf?.(change.input as never) ?? '', error)
}

/** Learns by its own message what a creation is called by now. */
export function receiveOwn(message: ServerMessage): void {
  if (!isAnnounced(message) || message.payload.key === undefined) return
  const own = pending.find(({ key }) => key === message.payload.key)
  const creates = own && kinds.get(own.name)?.creates
  const created = creates && (message.payload as { [name: string]: unknown })[creates]
  if (!own || !created) return
  named(own.id, (created as { id: number }).id)
  set([...pending])
}

function forgetShown() {
  const left = pending.filter(({ boardId, version }) => version === undefined || shownVersion(boardId) < version)
  if (left.length < pending.length) set(left)
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated' && query.queryKey[0] === 'live') forgetShown()
})
watchConnection(() => {
  if (!whetherReachable()) markLate()
})

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}
export const pendingChanges = (): readonly Pending[] => pending
export const usePending = (): readonly Pending[] => useSyncExternalStore(watch, pendingChanges)

/** How many changes wait for the server to be reachable. */
export const useUnsent = (): number => usePending().filter(({ isLate, isAnswered }) => isLate && !isAnswered).length
export const unsent = (): number => pending.filter(({ isAnswered }) => !isAnswered).length
