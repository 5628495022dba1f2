import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from '@tanstack/react-query'
import { clear, createStore, del, delMany, entries, get, keys, set } from 'idb-keyval'
import { lazy } from '../../schema'
import { queryClient } from '../queryClient'
import { sleep } from '../sleep'
import { isUnreachable } from './connection'
import { mayPass, standsIn } from './repeatedReads'

/** The last answers of what is worth having without a connection: they are shown where the server cannot be reached. */
type Answer = { userId: number; at: number; data: unknown }

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
    return await (isShown(query) ? answer : Promise.race([answer, late(queryHash)]))
  } catch (error) {
    answer.catch(() => {})
    if (context.signal.aborted) throw error
    const isOut = error instanceof Late || isUnreachable(error)
    if (!mayPass(error) && !isOut) void del(queryHash, store()).catch(() => {})
    const kept = isOut && !isShown(query) ? await recall(queryHash) : undefined
    const isOwn = kept !== undefined && (owner === undefined || kept.userId === owner)
    if (!isOut || !(isShown(query) || isOwn)) throw error
    standsIn(queryHash)
    // It was this query's answer. What is shown is never older than what is kept.
    return (isShown(query) ? query.state.data : kept?.data) as Data
  }
}

const isShown = ({ state }: Query) => state.data !== undefined && state.data !== null

queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, persister: orKept } })

class Late extends Error {}

/** Rejects once the wait is long and there is a kept answer. */
async function late(name: string): Promise<never> {
  await sleep(PATIENCE_MS)
  if (await recall(name)) throw new Late()
  return new Promise(() => {})
}

const recall = (name: string): Promise<Answer | undefined> => get<Answer>(name, store()).catch(() => undefined)

const writes = new Map<string, ReturnType<typeof setTimeout>>()

function write(name: string) {
  writes.delete(name)
  const data = queryClient.getQueryCache().get(name)?.state.data
  if (owner === undefined || data === undefined || data === null) return
  const answer: Answer = { userId: owner, at: Date.now(), data }
  set(name, answer, store()).catch((error: unknown) => console.warn('The browser keeps no answers', error))
}

queryClient.getQueryCache().subscribe((event) => {
  if (!hasStore || event.type !== 'updated' || event.action.type !== 'success') return
  const { queryHash, meta } = event.query
  if (meta?.kept && !writes.has(queryHash)) writes.set(queryHash, setTimeout(write, WRITE_AFTER_MS, queryHash))
})

if (hasStore)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') for (const name of [...writes.keys()]) write(name)
  })
