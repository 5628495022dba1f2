import { z } from 'zod'
import type { Snapshot } from '../../src/tasks/schema'
import { until } from '../support/until'
import type { Client } from './client'
import type { History } from './history'
import type { Measures } from './measures'
import type { Opened } from './reduce'
import type { Server, Site } from './site'
import { firstDifference, type Truth } from './truth'
import type { Watch } from './watch'

const WITHIN_MS = 5_000
const LOOK_EVERY_MS = 50

type Behind = { client: Client; board: number; says: string }

/** Whether everybody shows what the server holds, once nothing changes any more. */
export function createEquality(site: Site, watch: Watch, truth: Truth, history: History, measures: Measures) {
  function findBehind(): Behind[] {
    const ofClient = (client: Client) =>
      [...new Set([...client.boards.keys()])].flatMap((board): Behind[] => {
        const newest = watch.newest(board)?.version
        if (!watch.isMember(board, client.userId) || newest === undefined) return []
        const own = client.boards.get(board)
        const shown = own?.snapshot?.board.version
        return shown === newest
          ? []
          : [{ client, board, says: `shows ${shown}, is told of ${own?.told}, and the server holds ${newest}` }]
      })
    return watch.clients.filter(({ endedAt }) => endedAt() === undefined).flatMap(ofClient)
  }

  /** However long it takes: processes that are new on a busy machine need more than the promised seconds. */
  async function begin(): Promise<void> {
    await watch.fresh()
    const showsBoards = ({ boards }: Client) => boards.size > 0
    await until('everybody shows their boards', () => watch.clients.every(showsBoards) && findBehind().length === 0)
  }

  /** From the moment at which all is well again; `deadline` is when everybody has to be. */
  async function wait(since: number): Promise<void> {
    await Promise.all(watch.clients.map((client) => client.catchUp()))
    await watch.fresh()
    let behind = findBehind()
    while (behind.length > 0 && history.now() < since + WITHIN_MS) {
      await Bun.sleep(LOOK_EVERY_MS)
      behind = findBehind()
    }
    if (behind.length === 0) return void measures.equalities.push(Math.max(0, history.now() - since))
    for (const { client, board, says } of behind) {
      history.violate('unequal', `${client.name} on ${client.server().name} ${says}`, { board, person: client.name })
      client.reconnect()
    }
    const end = history.now() + 2 * WITHIN_MS
    while (findBehind().length > 0 && history.now() < end) await Bun.sleep(LOOK_EVERY_MS)
  }

  async function compare(boards: number[], cookieOf: (board: number) => string): Promise<Map<number, Snapshot>> {
    const all = new Map<number, Snapshot>()
    for (const board of boards) {
      const answers = await Promise.all(
        site.servers.map((server) => read(server, `/api/boards/${board}/snapshot`, cookieOf(board))),
      )
      const [held] = answers as Snapshot[]
      if (!held) continue
      all.set(board, held)
      await truth.compare(held)
      for (const other of answers)
        if (!Bun.deepEquals(other, held)) history.violate('sums', 'servers answer differently', { board })
      for (const client of watch.clients) compareClient(client, board, held)
      await compareReport(board, held, cookieOf(board))
    }
    return all
  }

  function compareClient(client: Client, board: number, held: Snapshot) {
    const shown = client.boards.get(board)?.snapshot
    if (!shown || client.endedAt() !== undefined || shown.board.version !== held.board.version) return
    if (!Bun.deepEquals(sorted(shown), sorted(held)))
      history.violate('unequal', `${client.name} shows ${difference(shown, held)}`, { board, person: client.name })
  }

  async function compareReport(board: number, { tasks }: Snapshot, cookie: string) {
    const report = await read(site.alive(), `/api/boards/${board}/time-report`, cookie)
    const sum = tasks.reduce((minutes, task) => minutes + task.minutes, 0)
    const { minutes } = z.object({ minutes: z.number() }).parse(report)
    if (minutes !== sum) history.violate('sums', `the report says ${minutes} minutes, the cards ${sum}`, { board })
  }

  /** What belongs to tasks, and is not on the board. */
  async function compareOpened(cookieOf: (board: number) => string) {
    for (const client of watch.clients)
      for (const { boardId, opened, snapshot } of client.boards.values()) {
        if (!opened || !snapshot?.tasks.some(({ id }) => id === opened.taskId) || client.endedAt() !== undefined) continue
        // Signed in again meanwhile, it reads its boards anew, and is not there yet.
        if (snapshot.board.version !== watch.newest(boardId)?.version) continue
        const held = await readOpened(site.alive(), opened.taskId, cookieOf(boardId))
        const [ours, theirs] = [untitled(opened), untitled(held)]
        for (const list of ['comments', 'entries'] as const)
          if (!Bun.deepEquals(ours[list], theirs[list]))
            history.violate(
              'unequal',
              `${client.name} has of the ${list} of task ${opened.taskId} ${firstDifference(ours[list], theirs[list])}`,
              { board: boardId, person: client.name },
            )
      }
  }

  return { begin, wait, compare, compareOpened }
}

/** Once it answers: after a fault its connections may be about to be opened anew. */
const read = (server: Server, path: string, cookie: string): Promise<unknown> =>
  until(`${server.name} answers ${path}`, async () => {
    const response = await fetch(server.origin + path, { headers: { cookie }, signal: AbortSignal.timeout(WITHIN_MS) })
    return response.ok ? ((await response.json()) as unknown) : undefined
  })

async function readOpened(server: Server, taskId: number, cookie: string): Promise<Omit<Opened, 'taskId'>> {
  const [comments, entries] = await Promise.all([
    read(server, `/api/tasks/${taskId}/comments`, cookie),
    read(server, `/api/time-entries/task/${taskId}`, cookie),
  ])
  // Our own server sends them.
  return { comments, entries } as Omit<Opened, 'taskId'>
}

/** An open task shows its title once, and not with each entry. */
const untitled = ({ comments, entries }: Omit<Opened, 'taskId'>) => ({
  comments,
  entries: entries.map((entry) => ({ ...entry, task: '' })),
})

const byId = <T extends { id: number }>(things: T[]): T[] => things.toSorted((a, b) => a.id - b.id)

/** People have no order; everything else is compared as it is. */
const sorted = ({ board, timers, tasks }: Snapshot): Snapshot => ({
  board: { ...board, members: byId(board.members) },
  timers: timers.toSorted((a, b) => a.entryId - b.entryId),
  tasks: tasks.map((task) => ({ ...task, assignees: byId(task.assignees) })),
})

function difference(shown: Snapshot, held: Snapshot): string {
  const [ours, theirs] = [sorted(shown), sorted(held)]
  if (!Bun.deepEquals(ours.tasks, theirs.tasks)) return firstDifference(ours.tasks, theirs.tasks)
  if (!Bun.deepEquals(ours.timers, theirs.timers)) return firstDifference(ours.timers, theirs.timers)
  return `${JSON.stringify(ours.board)} instead of ${JSON.stringify(theirs.board)}`
}
