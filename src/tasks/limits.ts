import type { UserSummary } from '../users/schema'

/** Characters of each description in snapshots, for cards and the filter. */
export const DESCRIPTION_PREVIEW = 300
export const TASK_TITLE_MAX = 255
export const TASK_DESCRIPTION_MAX = 20_000
export const TAG_MAX = 40
export const TAGS_MAX = 20
export const ASSIGNED_AT_ONCE = 50

export const BOARD_QUOTA = { tasks: 20_000, descriptionBytes: 32 * 2 ** 20 }
export const TOO_MANY_TASKS = 'This board has reached its limit of 20,000 tasks. Delete some first.'
export const TOO_MUCH_TEXT = 'This board has reached its limit of 32 MB of descriptions. Shorten some or delete tasks first.'

export const RESTORABLE_SECONDS = 10

export const STATUSES = ['todo', 'inprogress', 'done'] as const
export type Status = (typeof STATUSES)[number]
export const STATUS_LABELS: Record<Status, string> = { todo: 'To Do', inprogress: 'In Progress', done: 'Done' }

/** Compares by column, then by position; positions are ASCII. */
export function byPlace(a: { status: Status; position: string }, b: { status: Status; position: string }): number {
  if (a.status !== b.status) return STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status)
  return a.position < b.position ? -1 : Number(a.position > b.position)
}

/** The fields that users set on a task, by their names on the page; `fields` in schema.ts defines them. */
export const TASK_FIELDS = {
  title: 'Title',
  description: 'Description',
  status: 'Status',
  dueDate: 'Due date',
  tags: 'Tags',
} as const
export type TaskField = keyof typeof TASK_FIELDS

export const taskFields = Object.keys(TASK_FIELDS) as TaskField[]

/** One value per field. The caller gives the types: TypeScript forgets which value belongs to which field. */
export const eachField = <Values extends Record<TaskField, unknown>>(read: (field: TaskField) => unknown) =>
  Object.fromEntries(taskFields.map((field) => [field, read(field)])) as Pick<Values, TaskField>

/** A field's value if it was never set. */
export const EMPTY_FIELDS = {
  title: '',
  description: null,
  status: 'todo',
  dueDate: null,
  tags: [] as string[],
} satisfies Record<TaskField, unknown>

export const newFields = <Given extends { title: unknown; status: unknown } & { [Field in TaskField]?: unknown }>(given: Given) =>
  eachField<{ [Field in TaskField]: Exclude<Given[Field], undefined> }>((field) => given[field] ?? EMPTY_FIELDS[field])

export const NO_COUNTS = { commentCount: 0, fileCount: 0, minutes: 0 }
export type TaskCount = keyof typeof NO_COUNTS

export const EMPTY_TASK = { assignees: [] as UserSummary[], ...NO_COUNTS }

export const TITLE_MISSING = 'Please enter a title for the task.'
