import { log } from '../../log'
import type { ServerMessage } from '../../protocol'
import { unlessUnavailable } from '../errors'
import type { Session } from '../signedIn'
import { type Found, type Joined, missedBySockets } from './reconcile.lookup'
import type { Envelope, Relay } from './relay'

const EVERY_MS = 1_500
/** Without an answer for longer than this nothing is sent. */
const TRUSTED_MS = 4_000

type Reconciled = {
  joined(): Joined | undefined
  applyMissed(found: Found, asked: Joined): void
}

/** Asks the database at intervals, in one query, what the sockets missed, so that no lost message stays lost. */
export function createReconciler(relay: Relay, { joined, applyMissed }: Reconciled) {
  let trustedUntil = performance.now() + TRUSTED_MS
  let timer: Timer | undefined
  let isStopped = false

  async function reconcile() {
    const sent = performance.now()
    const asked = joined()
    if (asked) applyMissed((await relay.ask(missedBySockets(asked))) as Found, asked)
    trustedUntil = Math.max(trustedUntil, sent + TRUSTED_MS)
  }

  function again() {
    const began = performance.now()
    const next = () => {
      if (!isStopped) timer = setTimeout(again, Math.max(0, began + EVERY_MS - performance.now()))
    }
    reconcile()
      .catch(unlessUnavailable((error) => log.error('updates that sockets missed could not be read', {}, error)))
      .finally(next)
  }

  return {
    reconcile,
    start: again,
    isTrusted: () => !relay.echoes || performance.now() < trustedUntil,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

type Open = { data: { session: Session; joined: Map<number, number>; watched: Map<number, number> } }

/** By joined board: the last version that its sockets were told of. */
export function createVersionTracker() {
  const told = new Map<number, number>()
  const isBehind = (boardId: number, version: number) => (told.get(boardId) ?? version) < version

  return {
    begin(boardId: number, version: number) {
      if (!told.has(boardId)) told.set(boardId, version)
    },

    tell(message: ServerMessage) {
      const step = stepOf(message)
      if (step && isBehind(step.boardId, step.version)) told.set(step.boardId, step.version)
    },

    isNext(envelopes: Envelope[]): boolean {
      const steps = envelopes.flatMap((envelope) => (envelope.do === 'publish' ? (stepOf(envelope.message) ?? []) : []))
      return !steps.some(({ boardId, version }) => isBehind(boardId, version - 1))
    },

    /** The boards whose sockets were not told of these versions; they count as told from now on. */
    behind(versions: Record<number, number>): { boardId: number; version: number }[] {
      const all = Object.entries(versions).map(([id, version]) => ({ boardId: Number(id), version }))
      const behind = all.filter(({ boardId, version }) => isBehind(boardId, version))
      for (const { boardId, version } of behind) told.set(boardId, version)
      return behind
    },

    joined(open: Open[]): Joined | undefined {
      const members = new Map<string, [boardId: number, userId: number]>()
      for (const { data } of open)
        for (const boardId of [...data.joined.keys(), ...data.watched.keys()])
          members.set(`${boardId} ${data.session.user.id}`, [boardId, data.session.user.id])
      const boards = new Set([...members.values()].map(([boardId]) => boardId))
      for (const boardId of told.keys()) if (!boards.has(boardId)) told.delete(boardId)
      if (open.length === 0) return undefined
      return { members: [...members.values()], sessionKeys: [...new Set(open.map(({ data }) => data.session.key))] }
    },
  }
}

const stepOf = ({ payload }: ServerMessage) => ('by' in payload ? payload : undefined)
