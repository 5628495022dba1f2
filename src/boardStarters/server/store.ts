import { type NewActivity, taskEvents } from '../../boards/activity'
import type { BoardGrant } from '../../boards/server/grants'
import { addComment } from '../../comments/server/store'
import { addDays } from '../../days'
import type { Db } from '../../db/database'
import type { NewTask } from '../../tasks/schema'
import { grantTask } from '../../tasks/server/grants'
import { createFirstTasks, createTask } from '../../tasks/server/store'
import { logWork } from '../../time/server/store'
import type { ListedTask } from '../list'

const MINUTE_MS = 60_000

/** For a board without tasks; returns what to log. */
export async function addList(db: Db, grant: BoardGrant<'change'>, given: ListedTask[]): Promise<NewActivity[]> {
  const tasks = await createFirstTasks(db, grant, given)
  return tasks.flatMap((task) => taskEvents(task, { kind: 'created', detail: {} }))
}

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

export const EXAMPLE_BOARD = {
  name: 'Example: our new website',
  description: 'A place to try things out. Move, change or delete anything, even the board.',
}

type ExampleTask = { task: NewTask; comment?: string; worked?: { minutes: number; note: string } }

const SKETCH = `What visitors should learn in three seconds:

- [x] who we are
- [x] what we make
- [ ] how to reach us`

export function exampleTasks(today: string, viewerId: number): ExampleTask[] {
  const [nobody, viewer] = [{ assigneeIds: [] }, { assigneeIds: [viewerId] }]
  const due = (days: number) => ({ dueDate: addDays(today, days) })
  return [
    { task: { title: 'Write the home page text', status: 'todo', tags: ['text'], ...due(2), ...nobody } },
    { task: { title: 'Choose five photos', status: 'todo', tags: ['photos', 'design'], ...due(6), ...nobody } },
    {
      task: { title: 'Sketch the home page', status: 'inprogress', tags: ['design'], ...due(0), description: SKETCH, ...viewer },
      comment: 'Drag this card to Done when it’s finished. Everyone on the board sees it move.',
      worked: { minutes: 45, note: 'First sketch' },
    },
    {
      task: {
        title: 'Ask two customers what they look for first',
        status: 'inprogress',
        tags: ['research'],
        ...due(1),
        ...viewer,
      },
    },
    { task: { title: 'Register the domain', status: 'done', tags: ['setup'], ...due(-2), ...nobody } },
    { task: { title: 'Agree on a budget', status: 'done', tags: ['setup'], ...nobody } },
  ]
}
