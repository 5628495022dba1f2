import { addDays } from '../../basics'
import type { NewTask } from '../../tasks/schema'

export const EXAMPLE_BOARD = {
  name: 'Example: our new website',
  description: 'Made for you to try things on. Move, change or delete what you like; the board too.',
}

export type FirstTask = Omit<NewTask, 'assigneeIds'>
export type ExampleTask = FirstTask & { mine?: true; comment?: string; worked?: { minutes: number; note: string } }

const SKETCH = `What it says in three seconds:

- [x] who we are
- [x] what we make
- [ ] how to reach us`

/** Its days count from today. */
export const exampleTasks = (today: string): ExampleTask[] => [
  { title: 'Write the text of the front page', status: 'todo', tags: ['text'], dueDate: addDays(today, 2) },
  { title: 'Choose five photos', status: 'todo', tags: ['photos', 'design'], dueDate: addDays(today, 6) },
  {
    title: 'Sketch the front page',
    status: 'inprogress',
    tags: ['design'],
    dueDate: today,
    description: SKETCH,
    mine: true,
    comment: 'Drag this card to Done when it is. Whoever you invite to the board sees it move.',
    worked: { minutes: 45, note: 'First sketch' },
  },
  {
    title: 'Ask two customers what they look for first',
    status: 'inprogress',
    tags: ['research'],
    dueDate: addDays(today, 1),
    mine: true,
  },
  { title: 'Register the domain', status: 'done', tags: ['setup'], dueDate: addDays(today, -2) },
  { title: 'Agree on what it may cost', status: 'done', tags: ['setup'] },
]
