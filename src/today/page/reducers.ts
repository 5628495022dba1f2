import type { Task, TaskMessage } from '../../tasks/schema'
import { loggedMinutes } from '../../time/entries/page/predict'
import type { TimeEntry, TimeEntryMessage } from '../../time/entries/schema'
import { updateUser } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import type { ActiveBoard, OwnTask, Today, Workday } from '../schema'

export const applyToToday = (today: Today, change: Change, userId: number): Today =>
  applyChange(reducersOf(userId), today, change)

function reducersOf(userId: number): Reducers<Today, TaskMessage | TimeEntryMessage | UserMessage> {
  const put = (today: Today, { task }: { task: Task }) =>
    task.assignees.some(({ id }) => id === userId) ? withTask(today, task) : without(today, task.id)
  const log = (today: Today, { entry }: { entry: TimeEntry }) => (entry.userId === userId ? withEntry(today, entry) : today)
  return {
    new_task: put,
    task_updated: put,
    task_deleted: (today, { taskId }) => without(today, taskId),
    task_assignee_added: (today, { taskId, user }) =>
      withAssignees(today, taskId, (assignees) => [...assignees.filter(({ id }) => id !== user.id), user]),
    task_assignee_removed: (today, { taskId, userId: removed }) =>
      removed === userId
        ? without(today, taskId)
        : withAssignees(today, taskId, (assignees) => assignees.filter(({ id }) => id !== removed)),
    user_profile_updated: (today, { user }) => ({
      ...today,
      tasks: today.tasks.map((task) => ({ ...task, assignees: updateUser(task.assignees, user) })),
      boards: today.boards.map((board) => ({ ...board, faces: updateUser(board.faces, user) })),
    }),
    time_entry_added: log,
    time_entry_updated: log,
    time_entry_deleted: (today, { entryId }) => ({ ...today, week: today.week.map((day) => withoutEntry(day, entryId)) }),
  }
}

const without = (today: Today, taskId: number): Today => ({ ...today, tasks: today.tasks.filter(({ id }) => id !== taskId) })

const withAssignees = (today: Today, taskId: number, change: (assignees: Task['assignees']) => Task['assignees']): Today => ({
  ...today,
  tasks: today.tasks.map((task) => (task.id === taskId ? { ...task, assignees: change(task.assignees) } : task)),
})

function withTask(today: Today, { id, boardId, title, status, dueDate, doneAt, assignees, revision }: Task): Today {
  const before = today.tasks.find((task) => task.id === id)
  const next = before?.status === status ? before.next : null
  const task = { id, boardId, title, status, dueDate, doneAt, assignees, revision, next }
  return {
    ...today,
    tasks: before ? today.tasks.map((other) => (other === before ? task : other)) : [...today.tasks, task],
    boards: before
      ? today.boards.map((board) => (board.id === boardId ? recounted(board, before, task, today.day) : board))
      : today.boards,
  }
}

/** What others did there is read again a moment later. */
function recounted(board: ActiveBoard, before: OwnTask, after: OwnTask, day: string): ActiveBoard {
  const { tasks, overdue } = board
  const isOverdue = ({ status, dueDate }: OwnTask) => status !== 'done' && dueDate !== null && dueDate < day
  const left = { ...tasks, [before.status]: tasks[before.status] - 1 }
  return {
    ...board,
    tasks: { ...left, [after.status]: left[after.status] + 1 },
    overdue: overdue + Number(isOverdue(after)) - Number(isOverdue(before)),
  }
}

const withEntry = (today: Today, entry: TimeEntry): Today => ({
  ...today,
  week: today.week.map((day) => {
    const others = withoutEntry(day, entry.id)
    return day.day === entry.day && loggedMinutes(entry) > 0
      ? summed(day.day, [...others.entries, { id: entry.id, minutes: loggedMinutes(entry) }])
      : others
  }),
})

const withoutEntry = ({ day, entries }: Workday, entryId: number): Workday =>
  summed(
    day,
    entries.filter(({ id }) => id !== entryId),
  )

const summed = (day: string, entries: Workday['entries']): Workday => ({
  day,
  entries,
  minutes: entries.reduce((sum, { minutes }) => sum + minutes, 0),
})
