import { generateNKeysBetween } from 'fractional-indexing'
import type { BoardRow } from '../../../archive/boardRows'
import type { users } from '../../../db/schema'
import type { Status } from '../../../tasks/basics'
import { checklistCounts } from '../../../tasks/server/checklistCounts'
import type { OwnUser } from '../../../users/schema'
import { type Choices, columnOf } from '../../schema'
import { createActivityFitting } from '../fit/activities'
import { ignored } from '../fit/cut'
import { createPersonFitting, createRateFitting } from '../fit/others'
import { createTaskFitting } from '../fit/tasks'

/** What becomes of an archive's numbers, and of each column, while a board is filled. */
export type Filling = ReturnType<typeof createFilling>

export function createFilling(importer: OwnUser, choices: Choices, startedAt: Date) {
  return {
    importer,
    choices,
    people: new Map<number, number>(),
    members: new Set<number>(),
    tasks: new Map<number, number>(),
    lastPlaces: new Map<Status, string>(),
    fitPerson: createPersonFitting(ignored),
    fitTask: createTaskFitting(ignored),
    fitRate: createRateFitting(ignored),
    fitActivity: createActivityFitting(ignored),
    /** Whatever was imported is older than the import. */
    past: (moment: string | null) => new Date(Math.min(moment ? Date.parse(moment) : startedAt.getTime(), startedAt.getTime())),
  }
}

/** An account that nobody can sign in with: its username and address hold a capital, and nothing that is typed does. */
export function nameOf({ name, email: importedEmail }: BoardRow<'people'>, importedOn: number): typeof users.$inferInsert {
  const username = `Name-${crypto.getRandomValues(Buffer.alloc(8)).toString('hex')}`
  const own = { username, email: `${username}@imported.invalid`, name, importedOn, importedEmail }
  return { ...own, disabledAt: new Date(), emailNotifications: false, showEmail: false }
}

/** What was done by itself stays so, whatever its list is taken for. */
export function columnFor({ list, status }: BoardRow<'tasks'>, { columns }: Choices): Choices['columns'][string] {
  if (list === null) return status
  const own = columnOf(list)
  const chosen = Object.hasOwn(columns, list) ? (columns[list] ?? own) : own
  return chosen !== 'leave' && status === 'done' && own !== 'done' ? status : chosen
}

type Placed = BoardRow<'tasks'> & { position: string }

export function withPlaces({ lastPlaces }: Filling, status: Status, rows: BoardRow<'tasks'>[]): Placed[] {
  const places = generateNKeysBetween(lastPlaces.get(status) ?? null, null, rows.length)
  const last = places.at(-1)
  if (last) lastPlaces.set(status, last)
  return rows.map((row, n) => ({ ...row, position: places[n] ?? '' }))
}

export function stored({ id: _, list: __, closed: ___, ...task }: Placed, boardId: number, { people, past }: Filling) {
  return {
    ...task,
    boardId,
    createdBy: task.createdBy === null ? null : (people.get(task.createdBy) ?? null),
    createdAt: past(task.createdAt),
    updatedAt: task.updatedAt === null ? null : past(task.updatedAt),
    doneAt: task.status === 'done' && task.doneAt ? past(task.doneAt) : null,
    ...checklistCounts(task.description),
  }
}

/** With what their numbers became; without those of tasks that are left out. */
export const known = <Row extends { task: number; person: number }>({ tasks, people }: Filling, rows: Row[]) =>
  rows.flatMap((row) => {
    const [taskId, userId] = [tasks.get(row.task), people.get(row.person)]
    return taskId && userId ? { row, taskId, userId } : []
  })
