import type { ServerMessage } from '../../protocol'
import { ANSWER_WITHIN_MS, type Call, ownerOfPage, randomKey } from '../client'
import { isClockKnown, serverNow } from '../clock'
import { failureText, tellRefusal, tellSuccess } from '../mutationToasts'
import { queryClient } from '../queryClient'
import { refusalOf } from '../refusal'
import { sleep } from '../scheduling'
import { renameDrafts } from '../useDraft'
import { type KindRef, kindOf } from './changeKinds'
import { type Live, liveKey, noteAnswered, renameQueries, shownVersion } from './liveQuery'
import {
  addRefused,
  dismissRefused,
  isLate,
  isUnanswered,
  type Pending,
  pendingChanges,
  removePending,
  setPending,
  unanswered,
  updatePending,
} from './pendingChanges'
import { isReachable, isUnreachable, nextTry, serverAnswered, serverUnreachable, watchConnection } from './reachability'
import { isAnnounced, type LiveBoard } from './reducers'
import { drop, forgetAliases, type KeptChange, keep, keepAlias, keptOf, type Refused } from './storedChanges'
import { noteStoredId, resolved, storedId, type Thing, temporaryId } from './temporaryIds'

/** Without `answer` the change is kept to be sent later; `later` then resolves with it, or with undefined if refused. */
export type Outcome<Answer> = { id: number; answer?: Answer; later?: Promise<Answer | undefined> }

type Caller = {
  resolve(outcome: Outcome<unknown> | undefined): void
  refused: OnRefused | undefined
  later: PromiseWithResolvers<unknown>
}
const callers = new Map<string, Caller>()

/** For callers that show the reason next to the typed text. */
export type OnRefused = (error: unknown) => void

/** Resolves with the answer, or without one once the change is kept to be sent later; undefined if refused. */
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
  const known = { isTimed: isClockKnown(), isSettled: unanswered() === 0 }
  return begin({ ...change, about, ...known, state: 'new' }, refused) as Promise<Outcome<Answer> | undefined>
}

/** Resends a refused change, on top of what others changed meanwhile. */
export function submitAgain(refused: Refused): void {
  dismissRefused(refused)
  void begin({ ...keptOf(refused), key: randomKey(), state: 'late', forcedAt: serverNow() })
}

function begin(change: Pending, refused?: OnRefused): Promise<Outcome<unknown> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outcome<unknown> | undefined>()
  callers.set(change.key, { resolve, refused, later: Promise.withResolvers() })
  setPending([...pendingChanges(), change])
  if (isOnline(change)) void sendUntilAnswered(change)
  else {
    keep(change)
    if (!isReachable() || pendingChanges().some(isLate)) markLate()
    void sendAll()
  }
  return promise
}

export function resume(kept: KeptChange[]): void {
  const known = new Set(pendingChanges().map(({ key }) => key))
  const found = kept.filter(({ key, name }) => kindOf(name) && !known.has(key))
  if (found.length === 0) return
  setPending([...found.map((change) => ({ ...change, state: 'late' as const })), ...pendingChanges()])
  void sendAll()
}

let isSending = false
async function sendAll() {
  if (isSending) return
  isSending = true
  try {
    for (let next = firstToSend(); next; next = firstToSend()) await sendUntilAnswered(next)
    forgetAliases()
  } finally {
    isSending = false
  }
}

const isOnline = ({ name }: Pending) => kindOf(name)?.online === true
const mayWait = (change: Pending) => isUnanswered(change) && !isOnline(change)
const firstToSend = () => pendingChanges().find(mayWait)

/** If its change is kept, a form does not wait for it. */
function markLate() {
  for (const { key, id } of pendingChanges().filter(mayWait)) {
    const caller = callers.get(key)
    caller?.resolve({ id, later: caller.later.promise })
  }
  setPending(pendingChanges().map((change) => (mayWait(change) ? { ...change, state: 'late' } : change)))
}

function answerCaller(key: string, outcome: Outcome<unknown> | undefined) {
  const caller = callers.get(key)
  caller?.resolve(outcome)
  caller?.later.resolve(outcome?.answer)
  callers.delete(key)
}

async function sendUntilAnswered({ key }: Pending): Promise<void> {
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
    if (answer) return finish(latest, answer)
    if (isOnline(now) || !(await mayTryAgain(latest, error))) return refuse(latest, error)
  }
}

/** Resolves when it is time to resend it, or with false if it was refused. */
async function mayTryAgain(change: Pending, error: unknown): Promise<boolean> {
  const refusal = refusalOf(error)
  if (isUnreachable(error)) {
    console.warn('A change is waiting to be sent', error)
    markLate()
    await nextTry()
    return true
  }
  if (!isLate(change) || refusal?.code !== 'TOO_MANY_REQUESTS') return false
  await sleep((refusal.retryAfter ?? 1) * 1_000)
  return true
}

function finish(
  { key, name, boardId, id, state, input }: Pending,
  { answer, version }: { answer: unknown; version?: number | undefined },
) {
  const kind = kindOf(name)
  if (kind?.creates) noteCreated(boardId, id, (answer as { id: number }).id, kind.creates.as)
  drop(key)
  if (version === undefined) removePending(key)
  else {
    updatePending(key, { state: 'answered', version })
    noteAnswered(boardId, version)
  }
  answerCaller(key, { id: storedId(id), answer })
  if (state === 'new') tellSuccess(kind?.texts, answer, input as never)
  forgetShown()
}

function noteCreated(boardId: number, id: number, stored: number, as: Thing) {
  if (storedId(id) === stored) return
  noteStoredId(id, stored, as)
  renameDrafts(id, stored)
  renameQueries(boardId, id, stored)
  if (unanswered() > 1) keepAlias(id, stored)
}

function refuse(change: Pending, error: unknown) {
  const kind = kindOf(change.name)
  // It is sent after the next sign-in; a form that waits for the answer still has the typed text.
  const mayBeSentLater = isLate(change) || !(kind?.online || kind?.waits)
  const isSentLater = mayBeSentLater && refusalOf(error)?.code === 'UNAUTHORIZED'
  removePending(change.key)
  callers.get(change.key)?.refused?.(error)
  answerCaller(change.key, isSentLater ? { id: change.id } : undefined)
  if (!isLate(change) && !isSentLater) drop(change.key)
  if (!isLate(change) || isSentLater) return tellRefusal(kind?.texts, error)
  const { title = 'Not Saved' } = failureText(kind?.texts?.failure, error) ?? {}
  // After a reload temporary ids are unknown.
  addRefused({ ...change, input: resolved(change.input).input }, title, kind?.textOf?.(change.input as never) ?? '', error)
}

/** Learns a creation's id from its own message, and the version since which it exists. */
export function receiveOwn(message: ServerMessage): void {
  if (!isAnnounced(message) || message.payload.key === undefined || message.payload.by !== ownerOfPage()) return
  const own = pendingChanges().find(({ key }) => key === message.payload.key)
  if (!own) return
  const creates = kindOf(own.name)?.creates
  if (creates?.type !== message.type) return
  const { [creates.as]: created } = message.payload as { [name: string]: unknown }
  noteCreated(own.boardId, own.id, (created as { id: number }).id, creates.as)
  updatePending(own.key, { version: message.payload.version })
}

function forgetShown() {
  const isShown = (change: Pending) => !isUnanswered(change) && shownVersion(change.boardId) >= (change.version ?? 0)
  const unshown = pendingChanges().filter((change) => !isShown(change))
  if (unshown.length < pendingChanges().length) setPending(unshown)
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated' && query.queryKey[0] === 'live') forgetShown()
})
watchConnection(() => {
  if (!isReachable()) markLate()
})

/** Shorter than the server remembers idempotency keys. */
const SAFE_TO_REPEAT_MS = 23 * 60 * 60_000
const TOO_OLD = 'This change waited for a day and may already be saved. Check first, and try again only if it is missing.'

/** Sends a change once; `version` is the board's version after it. */
async function attempt({ name, key, input, ...made }: Pending) {
  const kind = kindOf(name)
  if (!kind) throw new Error(`there is no change called ${name}`)
  // A kind gets the input it was submitted with.
  const given = resolved(kind.toSend?.(input as never) ?? input)
  if (!given.isComplete) throw new Error('This change depends on another one that was not saved.')
  if (serverNow() - (made.forcedAt ?? made.at) > SAFE_TO_REPEAT_MS) throw new Error(TOO_OLD)
  const call: Call = { context: { key }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
  const answer = await kind.send(given.input as never, call, made)
  return { answer, version: call.context.version }
}
