import type { ServerMessage } from '../../protocol'
import type { Session } from '../signedIn'
import type { Joined } from './lookup'
import type { Envelope } from './relay'

type Open = { data: { session: Session; joined: Map<number, number>; watched: Map<number, number> } }

/** Of each board that is joined, the last version of which its sockets were told. */
export function createSteps() {
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

    /** The boards whose sockets were not told of these versions; from now on they are. */
    behind(versions: Record<number, number>): { boardId: number; version: number }[] {
      const all = Object.entries(versions).map(([id, version]) => ({ boardId: Number(id), version }))
      const behind = all.filter(({ boardId, version }) => isBehind(boardId, version))
      for (const { boardId, version } of behind) told.set(boardId, version)
      return behind
    },

    /** What to ask of the database; nothing where no socket is open. */
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

/** Changes say by whom they are; what only passes is no step. */
const stepOf = ({ payload }: ServerMessage) => ('by' in payload ? payload : undefined)
