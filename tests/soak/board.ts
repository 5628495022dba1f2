import type { AnnouncedChange } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import type { History } from './history'
import type { Measures } from './measures'
import { follow, followOpened, type Opened } from './reduce'

/** Messages of different processes may overtake each other; what is late is not missing yet. */
const MAY_BE_LATE_MS = 150
const AGAIN_AFTER_MS = 300

type Read = { board(): Promise<Snapshot | 'gone'>; task(taskId: number): Promise<Opened | undefined> }
type Surroundings = { who: string; read: Read; history: History; measures: Measures; isOver(): boolean }
export type Board = ReturnType<typeof openBoard>

/** A board as a client holds it, by the rules for clients: it applies what follows, and reads the board again after a gap. */
export function openBoard(boardId: number, { who, read, history, measures, isOver }: Surroundings) {
  let snapshot: Snapshot | undefined
  let opened: Opened | undefined
  let waiting: AnnouncedChange[] = []
  /** The newest version of which this client was told. */
  let told = 0
  let joinedAt = Number.POSITIVE_INFINITY
  let reading: Promise<void> | undefined
  let isGone = false

  function settle() {
    if (!snapshot || reading) return
    const before = snapshot.board.version
    waiting.sort((a, b) => a.payload.version - b.payload.version)
    const followed = follow(snapshot, waiting)
    if (opened)
      for (const message of waiting)
        if (message.payload.version > before && !followed.left.includes(message)) opened = followOpened(opened, message)
    snapshot = followed.snapshot
    waiting = followed.left
  }
  const isBehind = () => snapshot !== undefined && !reading && told > snapshot.board.version

  async function look() {
    await Bun.sleep(MAY_BE_LATE_MS)
    if (!isBehind()) return
    measures.clients.gaps += 1
    await readAgain(`at ${snapshot?.board.version}, told of ${told}`, true)
  }

  function readAgain(why: string, isForGap = false): Promise<void> {
    reading ??= readUntilAnswered(why, isForGap).finally(() => {
      reading = undefined
      settle()
      if (isBehind()) void look()
    })
    return reading
  }

  async function readUntilAnswered(why: string, isForGap: boolean) {
    const wanted = told
    while (!isOver() && !isGone) {
      try {
        const answer = await read.board()
        isGone = answer === 'gone'
        if (answer === 'gone') return
        const lists = opened && (await read.task(opened.taskId))
        if (answer.board.version < wanted)
          history.violate('rereads', `was told of ${wanted} and read ${answer.board.version}`, { board: boardId, person: who })
        if (isForGap) measures.clients.rereads += 1
        history.note(`read at ${answer.board.version}: ${why}`, { board: boardId, person: who })
        snapshot = answer
        opened = lists
        return
      } catch {
        await Bun.sleep(AGAIN_AFTER_MS)
      }
    }
  }

  return {
    boardId,
    get snapshot() {
      return isGone ? undefined : snapshot
    },
    get opened() {
      return opened
    },
    get told() {
      return told
    },
    get joinedAt() {
      return joinedAt
    },
    isReading: () => reading !== undefined,
    joined(version: number) {
      joinedAt = history.now()
      isGone = false
      told = Math.max(told, version)
      if (!snapshot) void readAgain('joined')
      else if (version !== snapshot.board.version) void look()
    },
    hear(message: AnnouncedChange) {
      if (!Number.isFinite(joinedAt)) return
      told = Math.max(told, message.payload.version)
      waiting.push(message)
      settle()
      if (isBehind()) void look()
    },
    left: () => {
      joinedAt = Number.POSITIVE_INFINITY
    },
    gone() {
      isGone = true
      joinedAt = Number.POSITIVE_INFINITY
      snapshot = undefined
      opened = undefined
      waiting = []
    },
    /** Reads what belongs to a task, and keeps it true from then on. */
    async open(taskId: number) {
      await reading
      opened = { taskId, comments: [], entries: [] }
      await readAgain(`opens task ${taskId}`)
    },
  }
}
