import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from '@tanstack/react-query'
import { clear, del, delMany, entries, get, getMany, keys, set } from 'idb-keyval'
import { answersStore, hasStores } from '../personalStorage'
import { queryClient } from '../queryClient'
import { forgetExpiredRecent, forgetRecent } from '../recentlyOpened'
import { sleep, whenIdle } from '../scheduling'
import { settings } from '../settings'
import { isUnreachable } from './reachability'
import { mayPass, standsIn } from './rereads'

/** The latest answers worth having offline, shown if the server cannot be reached. */
type Answer = { userId: number; at: number; build: string; json: string }

/** Stored with the answers, so that all are deleted together: their owner and expiry. */
const TERM = 'term'
type Term = { userId: number; until: number }

/** If there is a stored answer, how long to wait for a new one. */
const PATIENCE_MS = 5_000
const WRITE_AFTER_MS = 2_000
const MAX_ANSWERS = 200

let owner: number | undefined

const isOver = (term: Term | undefined) => !term || term.until <= Date.now()

/** Awaited before the first write. */
const expiredGone = hasStores ? forgetExpired().catch(() => {}) : undefined

async function forgetExpired() {
  forgetExpiredRecent()
  if (isOver(await get<Term>(TERM, answersStore()))) await clear(answersStore())
}

/** Answers to one user are never shown to the next. */
export async function keepAnswersOf(userId: number, until: number): Promise<void> {
  if (!hasStores) return
  const isNew = owner !== userId
  owner = userId
  await expiredGone
  await set(TERM, { userId, until } satisfies Term, answersStore())
  if (!isNew) return
  const all = (await entries<string, Answer>(answersStore())).filter(([name]) => name !== TERM)
  const oldest = all.toSorted(([, a], [, b]) => b.at - a.at).slice(MAX_ANSWERS)
  const others = all.filter(([, answer]) => answer.userId !== userId || answer.build !== settings().build)
  await delMany(
    [...oldest, ...others].map(([name]) => name),
    answersStore(),
  )
}

export const forgetAnswers = async (): Promise<void> => {
  owner = undefined
  forgetRecent()
  if (hasStores) await clear(answersStore())
}

export async function forgetAnswersOf(boardId: number): Promise<void> {
  if (!hasStores) return
  const all = await keys<string>(answersStore())
  await delMany(
    all.filter((name) => name.startsWith(`["live",${boardId},`)),
    answersStore(),
  )
}

/** Answers of queries with `kept` in their meta are stored, and used if the server cannot be reached. */
async function orKept<Data, Key extends QueryKey>(
  read: QueryFunction<Data, Key>,
  context: QueryFunctionContext<Key>,
  query: Query,
): Promise<Data> {
  const { queryHash, meta } = query
  if (!meta?.kept || !hasStores) return read(context)
  const answer = Promise.resolve(read(context))
  try {
    return await (isShown(query) ? answer : Promise.race([answer, late(query)]))
  } catch (error) {
    answer.catch(() => {})
    if (context.signal.aborted) throw error
    const isOut = error instanceof Late || isUnreachable(error)
    if (!isOut) {
      if (!mayPass(error)) forgetAnswer(queryHash)
      throw error
    }
    const kept = isShown(query) ? undefined : await (error instanceof Late ? error.kept : recall(queryHash))
    const isOwn = kept !== undefined && (owner === undefined || kept.userId === owner)
    if (!isShown(query) && !isOwn) throw error
    standsIn(queryHash)
    // It was this query's answer. What is shown is never older than what is stored.
    return (isShown(query) ? query.state.data : kept?.data) as Data
  }
}

function forgetAnswer(name: string) {
  due.delete(name)
  void del(name, answersStore()).catch(() => {})
}

const isShown = ({ state }: Query) => state.data !== undefined && state.data !== null

const defaults = queryClient.getDefaultOptions()
queryClient.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, persister: orKept } })

type KeptAnswer = { userId: number; data: unknown }

class Late extends Error {
  constructor(readonly kept: KeptAnswer) {
    super()
  }
}

/** Rejects after a long wait if there is a stored answer; reading a large board's takes a while. */
async function late(query: Query): Promise<never> {
  await sleep(PATIENCE_MS)
  const kept = isShown(query) ? undefined : await recall(query.queryHash)
  if (kept) throw new Late(kept)
  return new Promise(() => {})
}

async function recall(name: string): Promise<KeptAnswer | undefined> {
  const [term, answer] = (await getMany([TERM, name], answersStore()).catch(() => [])) as [Term?, Answer?]
  if (isOver(term) || answer?.userId !== term?.userId || answer?.build !== settings().build) return undefined
  return { userId: answer.userId, data: JSON.parse(answer.json) }
}

const due = new Set<string>()

function writeSoon(name: string) {
  due.add(name)
  setTimeout(() => whenIdle(() => void write(name)), WRITE_AFTER_MS)
}

/** Not again if it was written when the page was hidden, or deleted by a sign-out. */
async function write(name: string) {
  const [data, userId] = [dataOf(name), owner]
  if (!due.delete(name) || userId === undefined || data === undefined) return
  // As text: cloning a large board would block several frames.
  const answer: Answer = { userId, at: Date.now(), build: settings().build, json: JSON.stringify(data) }
  await set(name, answer, answersStore()).catch((error: unknown) => console.warn('The browser cannot store answers', error))
}

const dataOf = (name: string) => queryClient.getQueryCache().get(name)?.state.data ?? undefined

queryClient.getQueryCache().subscribe((event) => {
  if (!hasStores || event.type !== 'updated' || event.action.type !== 'success') return
  const { queryHash, meta } = event.query
  if (meta?.kept && !due.has(queryHash)) writeSoon(queryHash)
})

if (hasStores)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') for (const name of due) void write(name)
  })
