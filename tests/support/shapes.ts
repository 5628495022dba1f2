import type { Snapshot, Task } from '../../src/tasks/schema'
import type { TimeEntry } from '../../src/time/schema'
import type { UserSummary } from '../../src/users/schema'

// What the server answers, for tests that have no server; of what is given, only that counts.

const LONG_AGO = '2026-01-01T00:00:00.000Z'

export const aPerson = (id: number, given: Partial<UserSummary> = {}): UserSummary => ({
  ...{ id, username: `user${id}`, name: null, avatar: '' },
  ...given,
})

export const aTask = (given: Partial<Task> = {}): Task => ({
  ...{ id: 1, boardId: 1, createdBy: 1, title: 'Order paper', description: null, status: 'todo', position: 'a0' },
  ...{ dueDate: null, tags: [], assignees: [], commentCount: 0, fileCount: 0, minutes: 0, revision: 1 },
  ...{ createdAt: LONG_AGO, updatedAt: null, doneAt: null },
  ...given,
})

export const aBoard = (given: Partial<Snapshot['board']> = {}): Snapshot['board'] => ({
  ...{ id: 1, name: 'Garden', description: null, version: 1, createdAt: LONG_AGO, importedAt: null, inviteLinks: true },
  ...{ createdBy: 1, creator: { id: 1 }, members: [], memberCount: 0 },
  ...given,
})

/** An hour of work. */
export const anEntry = (given: Partial<TimeEntry> = {}): TimeEntry => ({
  ...{ id: 1, taskId: 1, boardId: 1, userId: 1, task: 'Order paper', user: aPerson(1), note: null, billable: true },
  ...{ startTime: LONG_AGO, endTime: null, day: '2026-01-01', duration: 60, createdAt: LONG_AGO },
  ...{ status: 'completed', runningSince: null, counted: 0, confirmed: 0, revision: 1 },
  ...given,
})
