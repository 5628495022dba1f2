import { SQL } from 'bun'
import type { AnnouncedChange } from '../../src/protocol'
import { until } from '../support/until'
import type { Board } from './board'
import type { Client } from './client'
import type { History } from './history'
import type { Measures, Part } from './measures'
import type { Site } from './site'

const LOOK_EVERY_MS = 200
const WITHIN_MS = 5_000
/** What a look at the database may be late by. */
const MARGIN_MS = 600
const CALM_MS = 2_000

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

export type Watch = ReturnType<typeof createWatch>
type Seen = { boards: { id: number; version: number }[]; members: string[] }
type Pending = { board: number; version: number; answeredAt: number; missing: Set<Client> }

/** Looks at the database all the time, and holds what sockets hear against it. */
export function createWatch(site: Site, history: History, measures: Measures) {
  const clients: Client[] = []
  /** For each board, when the newest of its versions were first seen. */
  const versions = new Map<number, { version: number; at: number }[]>()
  const absentSince = new Map<string, number>()
  const memberSince = new Map<string, number>()
  const awaited = new Set<Pending>()
  const suspects: { client: Client; message: AnnouncedChange; at: number }[] = []
  const complained = new Set<string>()
  let looks = 0
  let isOver = false

  const newest = (board: number) => versions.get(board)?.at(-1)
  const committedAt = (board: number, version: number) => versions.get(board)?.find((seen) => seen.version >= version)?.at
  const memberKey = (board: number, user: number) => `${board}:${user}`
  const isCalm = () => partsOf(site).every(({ since }) => history.now() - since > CALM_MS)

  /** Since when nothing keeps this client from hearing a board. */
  const reachableSince = (client: Client, joinedAt: number) =>
    Math.max(
      joinedAt,
      client.openSince(),
      site.postgres.part.since,
      ...Object.values(client.server().parts).map(({ since }) => since),
    )

  function take({ boards, members }: Seen) {
    const at = history.now()
    for (const { id, version } of boards) {
      const seen = versions.get(id) ?? []
      if (version > (seen.at(-1)?.version ?? -1)) seen.push({ version, at })
      versions.set(id, seen)
    }
    const present = new Set(members)
    for (const key of memberSince.keys())
      if (!present.has(key)) {
        memberSince.delete(key)
        absentSince.set(key, at)
      }
    for (const key of present) {
      if (!memberSince.has(key)) memberSince.set(key, at)
      absentSince.delete(key)
    }
  }

  /** A change that is five seconds old is known to everybody who can hear it. */
  function findLate() {
    const late = clients
      .filter(({ endedAt }) => endedAt() === undefined)
      .flatMap((client) => [...client.boards.values()].flatMap((board) => lateOf(client, board) ?? []))
    for (const [what, these] of Object.entries(Object.groupBy(late, ({ board, version }) => `${board}:${version}`))) {
      const [board, version] = what.split(':').map(Number)
      const who = (these ?? []).map(({ client, told }) => `${client.name} on ${client.server().name} of ${told}`)
      history.violate('late', `of version ${version} nobody told ${who.length} sockets: ${who.join(', ')}`, { board })
    }
  }

  function lateOf(client: Client, { boardId, told, joinedAt }: Board) {
    const seen = versions.get(boardId)?.find(({ version }) => version > told)
    const memberFor = memberSince.get(memberKey(boardId, client.userId)) ?? Number.POSITIVE_INFINITY
    if (!seen || history.now() - Math.max(seen.at, reachableSince(client, joinedAt), memberFor) < WITHIN_MS + MARGIN_MS) return
    const key = `${client.name}:${boardId}:${seen.version}`
    if (complained.has(key)) return
    complained.add(key)
    return { client, board: boardId, version: seen.version, told }
  }

  /** Whoever has been gone for five seconds when a change is stored does not hear of it. */
  function findHearing() {
    for (const { client, message, at } of suspects.splice(0)) {
      const { boardId, version } = message.payload
      const gone = client.endedAt() ?? absentSince.get(memberKey(boardId, client.userId))
      const stored = committedAt(boardId, version)
      if (gone === undefined || stored === undefined || stored - gone < WITHIN_MS + MARGIN_MS) continue
      history.violate(
        'heard',
        `${client.name} on ${client.server().name} is gone for ${seconds(at - gone)}, and hears ${message.type} at version ${version}`,
        { board: boardId, person: client.name },
      )
    }
  }

  async function look(sql: SQL) {
    const [row] = await sql`select
      (select json_agg(json_build_object('id', id, 'version', version)) from boards) as boards,
      (select json_agg(board_id || ':' || user_id) from board_members) as members`
    take({ boards: row.boards ?? [], members: row.members ?? [] })
    looks += 1
    findHearing()
    findLate()
    if (!isCalm()) awaited.clear()
  }

  async function run() {
    let sql = new SQL(site.postgres.url, { max: 1 })
    while (!isOver) {
      await Bun.sleep(LOOK_EVERY_MS)
      await look(sql).catch(async () => {
        await sql.close({ timeout: 0 }).catch(() => {})
        sql = new SQL(site.postgres.url, { max: 1 })
      })
    }
    await sql.close({ timeout: 0 }).catch(() => {})
  }
  const running = run()

  return {
    clients,
    newest,
    /** Once the database was looked at anew. */
    async fresh() {
      const wanted = looks + 2
      await until('the database was looked at', () => looks >= wanted)
    },
    isMember: (board: number, user: number) => memberSince.has(memberKey(board, user)),
    heard(client: Client, message: AnnouncedChange) {
      const { boardId, version } = message.payload
      const isSuspect = client.endedAt() !== undefined || !memberSince.has(memberKey(boardId, client.userId))
      if (isSuspect) suspects.push({ client, message, at: history.now() })
      for (const one of awaited) if (one.board === boardId && one.version <= version) arrive(one, client)
    },
    /** Somebody was just told that this is stored: until everybody is, time passes. */
    answered(board: number, version: number) {
      if (!isCalm()) return
      const hears = (client: Client) => {
        const own = client.boards.get(board)
        return own && Number.isFinite(own.joinedAt) && own.told < version && !own.isReading()
      }
      const one = { board, version, answeredAt: history.now(), missing: new Set(clients.filter(hears)) }
      if (one.missing.size === 0) measures.deliveries.push(0)
      else awaited.add(one)
    },
    async stop() {
      isOver = true
      await running
    },
  }

  function arrive(one: Pending, client: Client) {
    one.missing.delete(client)
    if (one.missing.size > 0) return
    awaited.delete(one)
    if (isCalm()) measures.deliveries.push(history.now() - one.answeredAt)
  }
}

/** All that can be unwell. */
const partsOf = ({ servers, postgres, redis, front }: Site): Part[] => [
  ...servers.flatMap(({ parts }) => Object.values(parts)),
  ...[postgres.part, front.part, ...(redis ? [redis.part] : [])],
]
