import type { ActivityEvent } from '../../activity/schema'
import { boardEvents, taskEvents } from '../../activity/server/events'
import { FIRST_DAY } from '../../time/rates/server/store'
import type { activities } from '../schema'
import type { DemoTask, Who } from './boards'

type Ids = Record<Who, number>
type DemoBoardRow = { id: number; createdBy: number }
type StoredTask = DemoTask & { id: number }

/** A moment `day` days from today. */
export function onDay(day: number, hour: number, minute = 0): Date {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + day)
  date.setUTCHours(hour, minute, 0, 0)
  return date
}

/** When a task was moved out of its first column, and out of its second; never in the future. */
const begun = ({ created }: DemoTask) => [Math.min(created + 1, -1), 10] as const
const finished = ({ created }: DemoTask) => [Math.floor(created / 3), 11] as const

/** When a task was moved last; null for one that was not. */
export function lastMoved(task: DemoTask): Date | null {
  if (task.status === 'todo') return null
  const [day, hour] = task.status === 'done' ? finished(task) : begun(task)
  return onDay(day, hour)
}

/** Cents an hour; Riya's went up lately. */
const RATES: Record<Who, readonly (readonly [day: number | null, cents: number])[]> = {
  maya: [[null, 12_000]],
  jonas: [[null, 9_500]],
  riya: [
    [null, 8_500],
    [-14, 9_000],
  ],
  alma: [[null, 8_500]],
  sam: [[null, 6_000]],
}

/** What somebody costs on a board whose time a client pays. */
export const ratesOf = (who: Who, client: boolean) =>
  (client ? RATES[who] : []).map(([day, cents]) => ({
    from: day === null ? FIRST_DAY : onDay(day, 12).toISOString().slice(0, 10),
    cents,
  }))

/** All that must have been done for a board to be as it is, oldest first. */
export function activitiesOf(people: Ids, board: DemoBoardRow, members: readonly Who[], tasks: StoredTask[]) {
  const entry = (userId: number, createdAt: Date, event: ActivityEvent, task: StoredTask | null = null) =>
    (task ? taskEvents(task, event) : boardEvents(event)).map((one) => ({ ...one, boardId: board.id, userId, createdAt }))
  const first = Math.min(...tasks.map(({ created }) => created))
  const others = members.map((who) => people[who]).filter((id) => id !== board.createdBy)
  return [
    entry(board.createdBy, onDay(first, 8), { kind: 'board_created', detail: {} }),
    ...others.map((userId) => entry(board.createdBy, onDay(first, 8, 10), { kind: 'member_added', detail: { userId } })),
    ...tasks.flatMap((task, n) =>
      eventsOf(people, board, task).map(([userId, [day, hour], event]) => entry(userId, onDay(day, hour, n % 50), event, task)),
    ),
  ]
    .flat()
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()) satisfies (typeof activities.$inferInsert)[]
}

type Told = [userId: number, at: readonly [day: number, hour: number], ActivityEvent]

function eventsOf(people: Ids, { createdBy }: DemoBoardRow, task: StoredTask): Told[] {
  const { created, status, assignees = [], comments = [], work = [] } = task
  const worker = assignees[0] ? people[assignees[0]] : createdBy
  const moved = (from: 'todo' | 'inprogress', to: 'inprogress' | 'done'): ActivityEvent => ({
    kind: 'moved',
    detail: { from, to },
  })
  return [
    [createdBy, [created, 9], { kind: 'created', detail: {} }],
    ...assignees.map((who): Told => [createdBy, [created, 9], { kind: 'assigned', detail: { userId: people[who] } }]),
    ...(status === 'todo' ? [] : [[worker, begun(task), moved('todo', 'inprogress')] satisfies Told]),
    ...comments.map(([who, day]): Told => [people[who], [day, 14], { kind: 'commented', detail: {} }]),
    ...work.map(([who, day, minutes]): Told => [people[who], [day, 17], { kind: 'time', detail: { did: 'logged', minutes } }]),
    ...(status === 'done' ? [[worker, finished(task), moved('inprogress', 'done')] satisfies Told] : []),
  ]
}
