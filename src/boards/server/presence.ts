import type { Db } from '../../db/database'
import { DatabaseUnavailable } from '../../db/failures'
import { log } from '../../log'
import type { Presence } from '../../protocol'
import { unlessUnavailable } from '../../server/errors'
import type { Hub } from '../../server/live/hub'
import type { Socket } from '../../server/live/openSockets'
import { versionsOf } from './lookup'

const PEOPLE_MAX = 100

/** In ms: how often pages are updated, how often processes repeat their report, and when a silent process is forgotten. */
const TIMES = { told: 500, repeated: 15_000, forgotten: 40_000 }
export type PresenceTimes = typeof TIMES

type Place = { boardId: number; taskId: number | null }
type Report = { people: Presence[]; until: number }

declare module '../../server/context' {
  interface Services {
    presence: ReturnType<typeof createPresence>
  }
}

/** Who has which board open, on all processes. Changes are sent as a whole, at most twice a second. */
export function createPresence(hub: Hub, db: Db, times: PresenceTimes = TIMES) {
  const self = crypto.randomUUID()
  const places = new Map<Socket, Place>()
  const elsewhere = new Map<number, Map<string, Report>>()
  /** By board: what this process reported to the others, and told the board's pages. */
  const reported = new Map<number, Presence[]>()
  const told = new Map<number, Presence[]>()
  const changed = new Set<number>()
  /** By socket: the board whose name or description its user is editing. */
  const editing = new Map<Socket, number>()
  /** Boards that an editor left: pages are told, even if they never saw that person, because they show who is editing. */
  const leftByEditor = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastToldAt = 0
  let stopped = false

  const here = (boardId: number): Presence[] =>
    summary(
      [...places]
        .filter(([, place]) => place.boardId === boardId)
        .map(([socket, { taskId }]) => ({ userId: socket.data.session.user.id, taskId })),
    )

  const everywhere = (boardId: number): Presence[] =>
    summary([...here(boardId), ...[...(elsewhere.get(boardId)?.values() ?? [])].flatMap(({ people }) => people)])

  function change(boardId: number) {
    changed.add(boardId)
    tellSoon()
  }

  function tellSoon() {
    if (!stopped) timer ??= setTimeout(tell, Math.max(0, lastToldAt + times.told - performance.now()))
  }

  async function tell() {
    const boardIds = [...changed]
    changed.clear()
    lastToldAt = performance.now()
    try {
      boardIds.forEach(report)
      await tellPages(boardIds)
    } catch (error) {
      for (const boardId of boardIds) changed.add(boardId)
      unlessUnavailable((fault) => log.error('presence could not be sent', {}, fault))(error)
    }
    timer = undefined
    if (changed.size > 0) tellSoon()
  }

  function report(boardId: number) {
    const people = here(boardId)
    if (Bun.deepEquals(people, reported.get(boardId) ?? [])) return
    setOrDelete(reported, boardId, people)
    hub.say([{ do: 'presence', process: self, boardId, people }])
  }

  async function tellPages(boardIds: number[]) {
    for (const boardId of boardIds)
      if (!hub.isOpen(boardId)) {
        told.delete(boardId)
        leftByEditor.delete(boardId)
      }
    const news = boardIds
      .filter(hub.isOpen)
      .map((boardId) => ({ boardId, people: everywhere(boardId) }))
      .filter(({ boardId, people }) => leftByEditor.has(boardId) || !Bun.deepEquals(people, told.get(boardId) ?? []))
    if (news.length === 0) return
    if (!hub.isTrusted()) throw new DatabaseUnavailable('membership could not be checked')
    const versions = await versionsOf(
      db,
      news.map(({ boardId }) => boardId),
    )
    for (const { boardId, people } of news) {
      const version = versions.get(boardId)
      setOrDelete(told, boardId, people)
      leftByEditor.delete(boardId)
      if (version !== undefined) hub.publish(boardId, { type: 'presence', payload: { boardId, version, people } })
    }
  }

  function forget(boardId: number, process: string) {
    const reports = elsewhere.get(boardId)
    if (!reports?.delete(process)) return
    if (reports.size === 0) elsewhere.delete(boardId)
    change(boardId)
  }

  function leavePlace(socket: Socket, boardId?: number) {
    const place = places.get(socket)
    if (!place || (boardId !== undefined && place.boardId !== boardId)) return
    places.delete(socket)
    change(place.boardId)
  }

  hub.onPresence({
    left(socket, boardId) {
      leavePlace(socket, boardId)
      const edited = editing.get(socket)
      if (edited === undefined || (boardId !== undefined && boardId !== edited)) return
      editing.delete(socket)
      leftByEditor.add(edited)
      change(edited)
    },
    heard({ process, boardId, people }) {
      if (people.length === 0) return forget(boardId, process)
      const reports = elsewhere.get(boardId) ?? new Map<string, Report>()
      const isNews = !Bun.deepEquals(people, reports.get(process)?.people)
      elsewhere.set(boardId, reports.set(process, { people, until: performance.now() + times.forgotten }))
      if (isNews) change(boardId)
    },
  })

  const repeating = setInterval(() => {
    for (const [boardId, people] of reported) hub.say([{ do: 'presence', process: self, boardId, people }])
    for (const [boardId, reports] of elsewhere)
      for (const [process, { until }] of reports) if (until < performance.now()) forget(boardId, process)
  }, times.repeated)

  return {
    enter(socket: Socket, place: Place) {
      if (socket.readyState !== WebSocket.OPEN || Bun.deepEquals(place, places.get(socket))) return
      leavePlace(socket)
      places.set(socket, place)
      change(place.boardId)
    },
    /** When the socket closes, pages are told, and stop showing its user as editing. */
    noteEditing(socket: Socket, boardId: number | null) {
      if (boardId === null) editing.delete(socket)
      else if (socket.readyState === WebSocket.OPEN) editing.set(socket, boardId)
    },
    /** What pages were last told, so that all get the same changes. */
    peopleOn: (boardId: number) => told.get(boardId) ?? everywhere(boardId),
    stop() {
      stopped = true
      clearInterval(repeating)
      clearTimeout(timer)
      for (const boardId of reported.keys()) hub.say([{ do: 'presence', process: self, boardId, people: [] }])
    },
  }
}

/** Each user once per open task, or once without a task. */
function summary(people: Presence[]): Presence[] {
  const inTasks = new Set(people.filter(({ taskId }) => taskId !== null).map(({ userId }) => userId))
  const shown = people.filter(({ userId, taskId }) => taskId !== null || !inTasks.has(userId))
  const distinct = new Map(shown.map((one) => [`${one.userId} ${one.taskId}`, one]))
  return [...distinct.values()].toSorted((a, b) => a.userId - b.userId || (a.taskId ?? 0) - (b.taskId ?? 0)).slice(0, PEOPLE_MAX)
}

function setOrDelete(map: Map<number, Presence[]>, boardId: number, people: Presence[]) {
  if (people.length > 0) map.set(boardId, people)
  else map.delete(boardId)
}
