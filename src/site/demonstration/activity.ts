import { type ActivityEvent, boardEvents, taskEvents } from '../../boards/activity'
import type { activities } from '../../db/tables'
import { FIRST_DAY } from '../../time/schema'
import { type DemoName, type DemoTask, type Ids, onDay, type StoredTask } from './studio'

type DemoBoardRow = { id: number; createdBy: number }

const startedAt = ({ created }: DemoTask) => [Math.min(created + 1, -1), 10] as const
const finishedAt = ({ created }: DemoTask) => [Math.floor(created / 3), 11] as const

export function lastMoved(task: DemoTask): Date | null {
  if (task.status === 'todo') return null
  const [day, hour] = task.status === 'done' ? finishedAt(task) : startedAt(task)
  return onDay(day, hour)
}

const RATES: Record<DemoName, readonly (readonly [day: number | null, cents: number])[]> = {
  maya: [[null, 12_000]],
  jonas: [[null, 9_500]],
  riya: [
    [null, 8_500],
    [-14, 9_000],
  ],
  alma: [[null, 8_500]],
  sam: [[null, 6_000]],
}

export const ratesOf = (who: DemoName, client: boolean) =>
  (client ? RATES[who] : []).map(([day, cents]) => ({
    from: day === null ? FIRST_DAY : onDay(day, 12).toISOString().slice(0, 10),
    cents,
  }))

/** Everything that led to the board's present state, oldest first. */
export function activitiesOf(people: Ids, board: DemoBoardRow, members: readonly DemoName[], tasks: StoredTask[]) {
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

type DatedEvent = [userId: number, at: readonly [day: number, hour: number], ActivityEvent]

function eventsOf(people: Ids, { createdBy }: DemoBoardRow, task: StoredTask): DatedEvent[] {
  const { created, status, assignees = [], comments = [], work = [] } = task
  const assignee = assignees[0] ? people[assignees[0]] : createdBy
  const moved = (from: 'todo' | 'inprogress', to: 'inprogress' | 'done'): ActivityEvent => ({
    kind: 'moved',
    detail: { from, to },
  })
  return [
    [createdBy, [created, 9], { kind: 'created', detail: {} }],
    ...assignees.map((who): DatedEvent => [createdBy, [created, 9], { kind: 'assigned', detail: { userId: people[who] } }]),
    ...(status === 'todo' ? [] : [[assignee, startedAt(task), moved('todo', 'inprogress')] satisfies DatedEvent]),
    ...comments.map(([who, day]): DatedEvent => [people[who], [day, 14], { kind: 'commented', detail: {} }]),
    ...work.map(
      ([who, day, minutes]): DatedEvent => [people[who], [day, 17], { kind: 'time', detail: { did: 'logged', minutes } }],
    ),
    ...(status === 'done' ? [[assignee, finishedAt(task), moved('inprogress', 'done')] satisfies DatedEvent] : []),
  ]
}
