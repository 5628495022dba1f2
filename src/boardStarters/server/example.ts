import { addDays } from '../../basics'
import type { NewTask } from '../../tasks/schema'

export const EXAMPLE_BOARD = {
  name: 'Example: our new website',
  description: 'Made for you to try things on. Move, change or delete what you like; the board too.',
}

export type ExampleTask = { task: NewTask; comment?: string; worked?: { minutes: number; note: string } }

const SKETCH = `What it says in three seconds:

- [x] who we are
- [x] what we make
- [ ] how to reach us`

/** Its days count from today; `viewerId` is whose it is. */
export function exampleTasks(today: string, viewerId: number): ExampleTask[] {
  const [nobody, viewer] = [{ assigneeIds: [] }, { assigneeIds: [viewerId] }]
  const due = (days: number) => ({ dueDate: addDays(today, days) })
  return [
    { task: { title: 'Write the text of the front page', status: 'todo', tags: ['text'], ...due(2), ...nobody } },
    { task: { title: 'Choose five photos', status: 'todo', tags: ['photos', 'design'], ...due(6), ...nobody } },
    {
      task: { title: 'Sketch the front page', status: 'inprogress', tags: ['design'], ...due(0), description: SKETCH, ...viewer },
      comment: 'Drag this card to Done when it is. Whoever you invite to the board sees it move.',
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
    { task: { title: 'Agree on what it may cost', status: 'done', tags: ['setup'], ...nobody } },
  ]
}
