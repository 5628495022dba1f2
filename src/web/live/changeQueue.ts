import type { ServerMessage } from '../../protocol'
import { ANSWER_WITHIN_MS, type Call, randomKey } from '../client'
import { isClockKnown, serverNow } from '../clock'
import { failureText, tellRefusal, tellSuccess } from '../mutationToasts'
import { queryClient } from '../queryClient'
import { refusalOf } from '../refusal'
import { sleep } from '../timing'
import { renameDrafts } from '../useDraft'
import { type KindRef, kindOf } from './changeKinds'
import { answered, type Live, liveKey, renameQueries, shownVersion } from './liveQuery'
import {
  addRefused,
  dismissRefused,
  type Pending,
  pendingChanges,
  removePending,
  setPending,
  unsent,
  updatePending,
} from './pendingChanges'
import { isReachable, isUnreachable, nextTry, serverAnswered, serverUnreachable, watchConnection } from './reachability'
import { isAnnounced, type LiveBoard } from './reducers'
import { drop, forgetAliases, type Kept, keep, keepAlias, keptOf, ownerOfChanges, type Refused } from './storedChanges'
import { noteStoredId, resolved, storedId, type Thing, temporaryId } from './temporaryIds'

/** `answer` is missing where the change is kept to be sent later, and `later` resolves with it then; with none when refused. */
export type Outcome<Answer> = { id: number; answer?: Answer; later?: Promise<Answer | undefined> }

type Waiting = {
  settle(outcome: Outcome<unknown> | undefined): void
  refused: OnRefused | undefined
  later: PromiseWithResolvers<unknown>
}
const outcomes = new Map<string, Waiting>()

/** For callers that show the reason beside what was typed. */
export type OnRefused = (error: unknown) => void

/** Resolves with the answer, or without one as soon as the change is kept to be sent later; undefined when refused. */
export function submit<Input, Answer>(
  boardId: number,
  { name }: KindRef<Input, Answer>,
  input: Input,
  board = queryClient.getQueryData<Live<LiveBoard>>(liveKey(boardId, 'board'))?.data,
  refused?: OnRefused,
): Promise<Outcome<Answer> | undefined> {
  const change = { key: randomKey(), name, boardId, input: resolved(input).input, id: temporaryId(), at: serverNow() }
  const about = kindOf(name)?.about?.(input as never, board as never)
  // Only this kind's answers reach it.
  return begin({ ...change, about, isTimed: isClockKnown(), isLate: false }, refused) as Promise<Outcome<Answer> | undefined>
}

/** Sends what was refused once more, over what others have changed meanwhile. */
export function submitAgain(refused: Refused): void {
  dismissRefused(refused)
  void begin({ ...keptOf(refused), key: randomKey(), isLate: true, isForced: true })
}

function begin(change: Pending, refused?: OnRefused): Promise<Outcome<unknown> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outcome<unknown> | undefined>()
  outcomes.set(change.key, { settle: resolve, refused, later: Promise.withResolvers() })
  setPending([...pendingChanges(), change])
  if (isOnline(change)) void deliver(change)
  else {
    keep(change)
    if (!isReachable() || pendingChanges().some(({ isLate, isAnswered }) => isLate && !isAnswered)) markLate()
    void sendAll()
  }
  return promise
}

export function resume(kept: Kept[]): void {
  const known = new Set(pendingChanges().map(({ key }) => key))
  const found = kept.filter(({ key, name }) => kindOf(name) && !known.has(key))
  if (found.length === 0) return
  setPending([...found.map((change) => ({ ...change, isLate: true })), ...pendingChanges()])
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

const isOnline = ({ name }: Pending) => kindOf(name)?.online === true
const firstUnsent = () => pendingChanges().find((change) => !change.isAnswered && !isOnline(change))

/** The form of a change that is kept does not wait for it. */
function markLate() {
  const isKept = (change: Pending) => !change.isAnswered && !isOnline(change)
  for (const { key, id } of pendingChanges().filter(isKept)) {
    const waiting = outcomes.get(key)
    waiting?.settle({ id, later: waiting.later.promise })
  }
  setPending(pendingChanges().map((change) => (isKept(change) ? { ...change, isLate: true } : change)))
}

function settleOutcome(key: string, outcome: Outcome<unknown> | undefined) {
  const waiting = outcomes.get(key)
  waiting?.settle(outcome)
  waiting?.later.resolve(outcome?.answer)
  outcomes.delete(key)
}

async function deliver({ key }: Pending): Promise<void> {
  for (;;) {
    const now = pendingChanges().find((one) => one.key === key)
    if (!now) return
    const { answer, error } = await attempt(now).then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ error, answer: undefined }),
    )
    if (isUnreachable(error)) serverUnreachable()
    else if (answer || refusalOf(error)) serverAnswered()
    const latest = pendingChanges().find((one) => one.key === key) ?? now
    if (answer) return settle(latest, answer)
    if (isOnline(now) || !(await mayTryAgain(latest, error))) return refuse(latest, error)
  }
}

/** Resolves when it is time to send it again, or with false where it was refused. */
async function mayTryAgain({ isLate }: Pending, error: unknown): Promise<boolean> {
  const refusal = refusalOf(error)
  if (isUnreachable(error)) {
    console.warn('A change is waiting to be sent', error)
    markLate()
    await nextTry()
    return true
  }
  if (!isLate || refusal?.code !== 'TOO_MANY_REQUESTS') return false
  await sleep((refusal.retryAfter ?? 1) * 1_000)
  return true
}

function settle(
  { key, name, boardId, id, isLate, input }: Pending,
  { answer, version }: { answer: unknown; version?: number | undefined },
) {
  const kind = kindOf(name)
  if (kind?.creates) noteCreated(boardId, id, (answer as { id: number }).id, kind.creates.as)
  drop(key)
  if (version === undefined) removePending(key)
  else {
    updatePending(key, { isAnswered: true, version })
    answered(boardId, version)
  }
  settleOutcome(key, { id: storedId(id), answer })
  if (!isLate) tellSuccess(kind?.texts, answer, input as never)
  forgetShown()
}

function noteCreated(boardId: number, id: number, stored: number, as: Thing) {
  if (storedId(id) === stored) return
  noteStoredId(id, stored, as)
  renameDrafts(id, stored)
  renameQueries(boardId, id, stored)
  if (unsent() > 1) keepAlias(id, stored)
}

function refuse(change: Pending, error: unknown) {
  const kind = kindOf(change.name)
  removePending(change.key)
  outcomes.get(change.key)?.refused?.(error)
  settleOutcome(change.key, undefined)
  // After the next sign-in it is sent.
  const waits = change.isLate && refusalOf(error)?.code === 'UNAUTHORIZED'
  if (!change.isLate) drop(change.key)
  if (!change.isLate || waits) return tellRefusal(kind?.texts, error)
  const { title = 'Not Saved' } = failureText(error, kind?.texts?.failure) ?? {}
  addRefused(change, title, kind?.textOf?.(change.input as never) ?? '', error)
}

/** Learns by its own message what a creation is called by now, and from which version on it is there. */
export function receiveOwn(message: ServerMessage): void {
  if (!isAnnounced(message) || message.payload.key === undefined || message.payload.by !== ownerOfChanges()) return
  const own = pendingChanges().find(({ key }) => key === message.payload.key)
  if (!own) return
  const creates = kindOf(own.name)?.creates
  if (creates?.type !== message.type) return
  const { [creates.as]: created } = message.payload as { [name: string]: unknown }
  noteCreated(own.boardId, own.id, (created as { id: number }).id, creates.as)
  updatePending(own.key, { version: message.payload.version })
}

function forgetShown() {
  const isShown = ({ boardId, isAnswered, version = 0 }: Pending) => isAnswered && shownVersion(boardId) >= version
  const left = pendingChanges().filter((change) => !isShown(change))
  if (left.length < pendingChanges().length) setPending(left)
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated' && query.queryKey[0] === 'live') forgetShown()
})
watchConnection(() => {
  if (!isReachable()) markLate()
})

/** Less than the server remembers the keys of changes. */
const SAFE_TO_REPEAT_MS = 23 * 60 * 60_000
const TOO_OLD = 'This change waited for a day and may already be saved. Check first, and try again only if it is missing.'

/** Sends a change once; `version` is that of the board since. */
async function attempt({ name, key, input, ...made }: Pending) {
  const kind = kindOf(name)
  if (!kind) throw new Error(`there is no change called ${name}`)
  // A kind gets what it was submitted with.
  const given = resolved(kind.toSend?.(input as never) ?? input)
  if (!given.isComplete) throw new Error('This change depends on another one that was not saved.')
  if (!made.isForced && serverNow() - made.at > SAFE_TO_REPEAT_MS) throw new Error(TOO_OLD)
  const call: Call = { context: { key, userId: ownerOfChanges() }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
  const answer = await kind.send(given.input as never, call, made)
  return { answer, version: call.context.version }
}
