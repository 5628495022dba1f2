import { generateNKeysBetween } from 'fractional-indexing'
import type { NewActivity } from '../../activity/schema'
import { taskEvents } from '../../activity/server/activityEvents'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { comments, taskAssignees, tasks, timeEntries } from '../../db/schema'
import { STATUSES } from '../../tasks/schema'
import { dayIn } from '../../time/entries/server/calendarDay'
import type { ExampleTask, FirstTask } from './example'

/** For a board without tasks; answers what to log. */
export async function addTasks(db: Db, grant: BoardGrant<'change'>, given: FirstTask[]): Promise<NewActivity[]> {
  const stored = await insertTasks(db, grant, given)
  return stored.flatMap((task) => taskEvents(task, { kind: 'created', detail: {} }))
}

async function insertTasks<Given extends FirstTask>(db: Db, { board, viewer }: BoardGrant<'change'>, given: Given[]) {
  const ordered = STATUSES.flatMap((status) => {
    const column = given.filter((task) => task.status === status)
    const positions = generateNKeysBetween(null, null, column.length)
    return column.map((task, place) => ({ task, position: positions[place] ?? '' }))
  })
  const rows = await db
    .insert(tasks)
    .values(
      ordered.map(({ task: { title, description, status, dueDate, tags }, position }) => ({
        ...{ title, description, status, dueDate, tags, position },
        ...{ boardId: board.id, createdBy: viewer.id, doneAt: status === 'done' ? new Date() : null },
      })),
    )
    .returning({ id: tasks.id, position: tasks.position, status: tasks.status })
  const ids = new Map(rows.map(({ id, position, status }) => [status + position, id]))
  return ordered.map(({ task, position }) => ({ ...task, id: ids.get(task.status + position) ?? 0 }))
}

/** As above, with what is the viewer's own on them. */
export async function addExample(db: Db, grant: BoardGrant<'change'>, given: ExampleTask[], timeZone: string) {
  const { board, viewer } = grant
  const stored = await insertTasks(db, grant, given)
  const events = stored.flatMap((task) => taskEvents(task, { kind: 'created', detail: {} }))
  for (const { id: taskId, title, mine, comment, worked } of stored) {
    const own = { taskId, userId: viewer.id }
    const task = { id: taskId, title }
    if (mine) {
      await db.insert(taskAssignees).values({ ...own, boardId: board.id })
      events.push(...taskEvents(task, { kind: 'assigned', detail: { userId: viewer.id } }))
    }
    if (comment) {
      await db.insert(comments).values({ ...own, content: comment })
      events.push(...taskEvents(task, { kind: 'commented', detail: {} }))
    }
    if (worked) {
      const { minutes, note } = worked
      const endTime = new Date()
      const startTime = new Date(endTime.getTime() - minutes * MINUTE_MS)
      const day = dayIn(startTime, timeZone)
      await db
        .insert(timeEntries)
        .values({ ...own, boardId: board.id, startTime, endTime, day, timeZone, duration: minutes, note })
      events.push(...taskEvents(task, { kind: 'time', detail: { did: 'logged', minutes } }))
    }
  }
  return events
}

const MINUTE_MS = 60_000
