import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from '@tanstack/react-query'
import { clear, createStore, del, delMany, entries, get, keys, set } from 'idb-keyval'
import { lazy } from '../../schema'
import { queryClient } from '../queryClient'
import { sleep } from '../sleep'
import { whenIdle } from '../whenIdle'
import { isUnreachable } from './connection'
import { mayPass, standsIn } from './repeatedReads'
import { parseSliced, type SlicedJson, slicedJson } from './slicedJson'

/** The last answers of what is worth having without a connection: they are shown where the server cannot be reached. */
type Answer = { userId: number; at: number } & SlicedJson

const store = lazy(() => createStore('wrk answers', 'answers'))
const hasStore = typeof indexedDB !== 'undefined'

/** With a kept answer at hand, nobody waits longer for a new one. */
const PATIENCE_MS = 5_000
const WRITE_AFTER_MS = 2_000
const MAX_ANSWERS = 200

let owner: number | undefined

/** Nothing that one person was answered is there for the next. */
export async function keepAnswersOf(userId: number): Promise<void> {
  if (owner === userId || !hasStore) return
  owner = userId
  const all = await entries<string, Answer>(store())
  const oldest = all.toSorted(([, a], [, b]) => b.at - a.at).slice(MAX_ANSWERS)
  const others = all.filter(([, answer]) => answer.userId !== userId)
  await delMany(
    [...oldest, ...others].map(([name]) => name),
    store(),
  )
}

export const forgetAnswers = async (): Promise<void> => {
  owner = undefined
  if (hasStore) await clear(store())
}

export async function forgetAnswersOf(boardId: number): Promise<void> {
  if (!hasStore) return
  const all = await keys<string>(store())
  await delMany(
    all.filter((name) => name.startsWith(`["live",${boardId},`)),
    store(),
  )
}

/** The answer of a query with `kept` in its meta is kept, and stands in where the server cannot be reached. */
async function orKept<Data, Key extends QueryKey>(
  read: QueryFunction<Data, Key>,
  context: QueryFunctionContext<Key>,
  query: Query,
): Promise<Data> {
  const { queryHash, meta } = query
  if (!meta?.kept || !hasStore) return read(context)
  const answer = Promise.resolve(read(context))
  try {
    return await (isShown(query) ? answer : Promise.race([answer, late(query)]))
  } catch (error) {
    answer.catch(() => {})
    if (context.signal.aborted) throw error
    const isOut = error instanceof Late || isUnreachable(error)
    if (!mayPass(error) && !isOut) forgetAnswer(queryHash)
    const kept = isOut && !isShown(query) ? await (error instanceof Late ? error.kept : recall(queryHash)) : undefined
    const isOwn = kept !== undefined && (owner === undefined || kept.userId === owner)
    if (!isOut || !(isShown(query) || isOwn)) throw error
    standsIn(queryHash)
    // It was this query's answer. What is shown is never older than what is kept.
    return (isShown(query) ? query.state.data : kept?.data) as Data
  }
}

function forgetAnswer(name: string) {
  due.delete(name)
  void del(name, store()).catch(() => {})
}

const isShown = ({ state }: Query) => state.data !== undefined && state.data !== null

queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, persister: orKept } })

type Kept = { userId: number; data: unknown }

class Late extends Error {
  constructor(readonly kept: Kept) {
    super()
  }
}

/** Rejects once the wait is long and there is a kept answer; reading that of a large board takes a while. */
async function late(query: Query): Promise<never> {
  await sleep(PATIENCE_MS)
  const kept = isShown(query) ? undefined : await recall(query.queryHash)
  if (kept) throw new Late(kept)
  return new Promise(() => {})
}

async function recall(name: string): Promise<Kept | undefined> {
  const answer = await get<Answer>(name, store()).catch(() => undefined)
  // Earlier builds kept no JSON.
  const data = answer?.json === undefined ? undefined : await parseSliced(answer).catch(() => undefined)
  return answer && data !== undefined ? { userId: answer.userId, data } : undefined
}

const due = new Set<string>()

function writeSoon(name: string) {
  due.add(name)
  setTimeout(write, WRITE_AFTER_MS, name, () => new Promise((resolve) => whenIdle(resolve)))
}

async function write(name: string, pause: () => Promise<void>) {
  const [data, userId] = [dataOf(name), owner]
  if (!due.has(name)) return
  if (userId === undefined || data === undefined) return due.delete(name)
  await pause()
  const answer: Answer = { userId, at: Date.now(), ...(await slicedJson(data, pause)) }
  // Written when the page was hidden, or gone with a sign-out.
  if (!due.delete(name) || owner !== userId) return
  const now = dataOf(name)
  if (now === undefined) return
  set(name, answer, store()).catch((error: unknown) => console.warn('The browser keeps no answers', error))
  if (now !== data) writeSoon(name)
}

const dataOf = (name: string) => queryClient.getQueryCache().get(name)?.state.data ?? undefined

queryClient.getQueryCache().subscribe((event) => {
  if (!hasStore || event.type !== 'updated' || event.action.type !== 'success') return
  const { queryHash, meta } = event.query
  if (meta?.kept && !due.has(queryHash)) writeSoon(queryHash)
})

if (hasStore)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') for (const name of due) void write(name, async () => {})
  })
