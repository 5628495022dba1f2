import { type Query, queryOptions } from '@tanstack/react-query'
import type { AnnouncedChange, ServerMessage } from '../../protocol'
import { queryClient } from '../queryClient'
import { type Change, isAnnounced } from './reducers'
import { isRepeated } from './rereads'
import { handle } from './socket'

/** A page's data of a board, which is reread if it misses a version. */
export type Live<Data> = {
  data: Data
  /** By board, the version up to which `data` is complete. */
  versions: Record<number, number>
}

/** For lists over every board: the channel only delivers messages that concern them, not each version. */
export const EVERY_BOARD = 'every board'
type Scope = number | typeof EVERY_BOARD

type LiveData<Data> = {
  key: readonly [scope: Scope, ...name: (string | number)[]]
  read(signal: AbortSignal): Promise<Data>
  /** Pure, and idempotent: a read may already contain a change that is announced later. */
  apply(data: Data, change: Change): Data
  versionOf?(data: Data): number
}

/** The newest version known to exist, the newest announced, and the newest in an answer to one of our own changes. */
type Channel = { newest: number; announced: number; newestOwn: number; changes: Map<number, AnnouncedChange> }

const channels = new Map<number, Channel>()

/** A missing change may still be coming from another process. */
const PATIENCE_MS = 150
const patience = new Map<Scope, ReturnType<typeof setTimeout>>()

export const liveKey = (...key: [scope: Scope, ...name: (string | number)[]]) => ['live', ...key] as const
export type LiveKey = ReturnType<typeof liveKey>

export function liveQuery<Data>({ key, read, apply, versionOf }: LiveData<Data>) {
  const [scope] = key
  return queryOptions({
    queryKey: liveKey(...key),
    queryFn: async ({ signal }): Promise<Live<Data>> => {
      const before = newestOf(scope)
      const data = await read(signal)
      const versions = versionOf && scope !== EVERY_BOARD ? { [scope]: versionOf(data) } : before
      return withNextChanges(scope, { data, versions }, apply)
    },
    staleTime: ({ state }) => (state.data && isBehind(scope, state.data) ? 0 : Number.POSITIVE_INFINITY),
    meta: { apply, kept: true },
  })
}

function channelOf(boardId: number): Channel {
  const channel = channels.get(boardId) ?? { newest: 0, announced: 0, newestOwn: 0, changes: new Map() }
  channels.set(boardId, channel)
  return channel
}

const channelsOf = (scope: Scope): [boardId: number, Channel][] =>
  scope === EVERY_BOARD ? [...channels] : [[scope, channelOf(scope)]]

const newestOf = (scope: Scope): Record<number, number> =>
  Object.fromEntries(channelsOf(scope).map(([boardId, { newest }]) => [boardId, newest]))

/** Applies the changes that come next; lists over every board have no gaps. */
function withNextChanges<Data>(scope: Scope, live: Live<Data>, apply: LiveData<Data>['apply']): Live<Data> {
  let { data, versions } = live
  for (const [boardId, { changes }] of channelsOf(scope))
    for (const [version, change] of [...changes].sort(([a], [b]) => a - b)) {
      const known = versions[boardId] ?? 0
      if (version <= known) continue
      if (version > known + 1 && scope !== EVERY_BOARD) break
      data = apply(data, change)
      versions = { ...versions, [boardId]: version }
    }
  return versions === live.versions ? live : { data, versions }
}

const isBehind = (scope: Scope, { versions }: Live<unknown>): boolean =>
  channelsOf(scope).some(
    ([boardId, { newest, newestOwn }]) => (versions[boardId] ?? 0) < (scope === EVERY_BOARD ? newestOwn : newest),
  )

const queriesOf = (scope: Scope) => queryClient.getQueryCache().findAll({ queryKey: liveKey(scope) }) as Query<Live<unknown>>[]

export function receive(message: ServerMessage): void {
  receiveJoined(message)
  if (!isAnnounced(message)) return
  const { boardId, version } = message.payload
  const channel = channelOf(boardId)
  channel.newest = Math.max(channel.newest, version)
  channel.changes.set(version, message)
  catchUp(boardId)
  // A late message from another process: lists of all boards may already be past its version.
  if (version < channel.announced) void queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD) })
  else catchUp(EVERY_BOARD)
  channel.announced = Math.max(channel.announced, version)
  forgetApplied(boardId)
}

const receiveJoined = handle({
  joined_board({ boardId, version }) {
    // A version older than the known one counts too: the database may have been restored.
    if (version < channelOf(boardId).newest) {
      channels.set(boardId, { newest: version, announced: version, newestOwn: version, changes: new Map() })
      void queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD) })
    }
    channelOf(boardId).newest = version
    for (const query of queriesOf(boardId)) {
      // A user who may join may also read again.
      if (query.state.status === 'error') readAgain(query)
      const known = query.state.data?.versions[boardId]
      if (known !== undefined && known > version) void query.cancel({ silent: true }).then(() => readAgain(query))
    }
    catchUp(boardId, 0)
  },
})

/** The effect of our own change, from its answer: its message follows, or was lost. */
export function noteAnswered(boardId: number, version: number): void {
  const channel = channelOf(boardId)
  channel.newest = Math.max(channel.newest, version)
  channel.newestOwn = Math.max(channel.newestOwn, version)
  catchUp(boardId)
  catchUp(EVERY_BOARD)
}

export function renameQueries(boardId: number, from: number, to: number): void {
  for (const { queryKey, state } of queriesOf(boardId)) {
    if (queryKey.at(-1) !== from || !state.data) continue
    queryClient.setQueryData([...queryKey.slice(0, -1), to], { data: state.data.data, versions: { [boardId]: 0 } })
  }
}

/** The lowest version of a board that is shown. */
export function shownVersion(boardId: number): number {
  const shown = [...queriesOf(boardId), ...queriesOf(EVERY_BOARD)].filter((query) => query.isActive())
  return Math.min(...shown.flatMap(({ state: { data } }) => (data ? (data.versions[boardId] ?? 0) : [])))
}

function catchUp(scope: Scope, wait = PATIENCE_MS) {
  for (const query of queriesOf(scope)) {
    const live = query.state.data
    if (!live) continue
    // Set by `liveQuery` above on first use.
    const { apply } = (query.meta ?? {}) as { apply?: LiveData<unknown>['apply'] }
    if (!apply) continue
    const now = withNextChanges(scope, live, apply)
    if (now !== live) queryClient.setQueryData(query.queryKey, now)
    if (isBehind(scope, now) && query.isActive()) readLater(scope, wait)
  }
}

function readLater(scope: Scope, wait: number) {
  if (wait > 0 && patience.has(scope)) return
  clearTimeout(patience.get(scope))
  const readThose = () => {
    patience.delete(scope)
    for (const query of queriesOf(scope)) if (query.state.data && isBehind(scope, query.state.data)) readAgain(query)
  }
  if (wait > 0) patience.set(scope, setTimeout(readThose, wait))
  else readThose()
}

function readAgain(query: Query<Live<unknown>>) {
  if (query.isActive() && query.state.fetchStatus === 'idle' && !isRepeated(query.queryHash)) void query.fetch().catch(() => {})
}

/** Changes that nothing shown is waiting for. A read under way may have begun before any of them. */
function forgetApplied(boardId: number) {
  const all = [...queriesOf(boardId), ...queriesOf(EVERY_BOARD)].filter((query) => query.isActive())
  if (all.some(({ state }) => state.fetchStatus !== 'idle')) return
  const { changes, newest } = channelOf(boardId)
  const applied = Math.min(newest, shownVersion(boardId))
  for (const version of changes.keys()) if (version <= applied) changes.delete(version)
}

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.query.queryKey[0] !== 'live') return
  // Changes announced during a read may have come too late for it.
  if (event.action.type === 'success' && !event.action.manual) catchUp(event.query.queryKey[1] as Scope)
})
