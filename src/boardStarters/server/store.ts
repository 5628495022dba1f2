import type { NewActivity } from '../../activity/schema'
import { taskEvents } from '../../activity/server/activityEvents'
import type { BoardGrant } from '../../boards/server/grants'
import { addComment } from '../../comments/server/store'
import type { Db } from '../../db/database'
import { grantTask } from '../../tasks/server/grants'
import { createFirstTasks, createTask } from '../../tasks/server/store'
import { logWork } from '../../time/entries/server/store'
import type { ListedTask } from '../basics'
import type { ExampleTask } from './example'

const MINUTE_MS = 60_000

/** For a board without tasks; answers what to log. */
export async function addList(db: Db, grant: BoardGrant<'change'>, given: ListedTask[]): Promise<NewActivity[]> {
  const tasks = await createFirstTasks(db, grant, given)
  return tasks.flatMap((task) => taskEvents(task, { kind: 'created', detail: {} }))
}

/** As above. */
export async function addExample(db: Db, grant: BoardGrant<'change'>, given: ExampleTask[], timeZone: string) {
  const events: NewActivity[] = []
  for (const { task: first, comment, worked } of given) {
    const task = await createTask(db, grant, first)
    events.push(...taskEvents(task, { kind: 'created', detail: {} }))
    for (const userId of first.assigneeIds) events.push(...taskEvents(task, { kind: 'assigned', detail: { userId } }))
    if (!comment || !worked) continue
    const own = await grantTask(db, grant.viewer, task.id, 'change')
    await addComment(db, own, comment)
    events.push(...taskEvents(task, { kind: 'commented', detail: {} }))
    const { minutes: duration, note } = worked
    const [now, billable, notify] = [Date.now(), true, false]
    const startTime = new Date(now - duration * MINUTE_MS).toISOString()
    await logWork(db, own, { status: 'completed', startTime, duration, note, timeZone, billable, notify }, now)
    events.push(...taskEvents(task, { kind: 'time', detail: { did: 'logged', minutes: duration } }))
  }
  return events
}
