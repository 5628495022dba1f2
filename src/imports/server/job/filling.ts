import { generateNKeysBetween } from 'fractional-indexing'
import type { BoardRow } from '../../../archive/boardRows'
import type { users } from '../../../db/schema'
import type { Status } from '../../../tasks/basics'
import { checklistCounts } from '../../../tasks/server/checklistCounts'
import type { OwnUser } from '../../../users/schema'
import { withoutAccount } from '../../../users/server/store'
import type { Choices } from '../../schema'
import { createActivityFitting } from '../fit/activities'
import { ignored } from '../fit/cut'
import { createPersonFitting, createRateFitting } from '../fit/others'
import { createTaskFitting } from '../fit/tasks'
import { columnOf } from '../statuses'

/** What becomes of an archive's numbers, and of each column, while a board is filled. */
export type Filling = ReturnType<typeof createFilling>

export function createFilling(importer: OwnUser, choices: Choices, startedAt: Date, name = choices.name) {
  return {
    importer,
    name,
    choices,
    people: new Map<number, number>(),
    /** Whose account was gone: they are members no more. */
    formers: new Set<number>(),
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

export const nameOf = ({ name, email, former = false }: BoardRow<'people'>, boardId: number): typeof users.$inferInsert => ({
  ...withoutAccount(boardId, name),
  importedEmail: email,
  former,
})

/** A task whose status is not its list's has its own, whatever column is chosen for the list. */
export function columnFor({ list, status }: BoardRow<'tasks'>, { columns }: Choices): Choices['columns'][string] {
  if (list === null) return status
  const own = columnOf(list)
  const chosen = Object.hasOwn(columns, list) ? (columns[list] ?? own) : own
  return chosen !== 'leave' && status !== own ? status : chosen
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
