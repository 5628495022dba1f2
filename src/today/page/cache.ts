import { useEffect, useEffectEvent } from 'react'
import { WATCHED_MAX } from '../../boards/limits'
import type { AnnouncedChange, Received } from '../../protocol'
import { EMPTY_FIELDS, EMPTY_TASK, STATUS_LABELS } from '../../tasks/limits'
import { movedTo, type Place } from '../../tasks/page/reducers'
import type { BoardTask, Snapshot, Task, TaskMessage } from '../../tasks/schema'
import { loggedMinutes } from '../../time/page/predictions'
import { viewerNow } from '../../time/page/timersCache'
import type { TimeEntry, TimeEntryMessage } from '../../time/schema'
import { updateUser } from '../../users/page/reducers'
import { useViewer } from '../../users/page/viewer'
import type { UserMessage } from '../../users/schema'
import { client } from '../../web/client'
import { ownZone } from '../../web/clock'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { EVERY_BOARD, type Live, liveKey, liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, isAnnounced, type Reducers } from '../../web/live/reducers'
import { useReadAgain } from '../../web/live/rereads'
import { notUndone, sendOnRevision } from '../../web/live/revisions'
import { onOpen, send, useEveryLiveMessage, useLiveMessages } from '../../web/live/socket'
import { useChange } from '../../web/live/undoableChanges'
import { queryClient } from '../../web/queryClient'
import { throttled } from '../../web/scheduling'
import { pageCookie, setPageCookie } from '../../web/theme'
import type { ActiveBoard, OwnTask, Today } from '../schema'

const TODAY_KEY = [EVERY_BOARD, 'today'] as const

/** For the server, which prepares the next page load. */
const noteZone = (zone: string) => {
  if (pageCookie('zone') !== encodeURIComponent(zone)) setPageCookie('zone', encodeURIComponent(zone))
  return zone
}

const apply = (today: Today, change: Change): Today => applyChange(reducersOf(viewerNow()?.id ?? 0), today, change)

/** Read again on focus: a hidden page does not ask, and the day may have changed. */
export const todayQuery = () => ({
  ...liveQuery({
    key: TODAY_KEY,
    read: (signal) => client.today.get.query({ timeZone: noteZone(ownZone()) }, { signal }),
    apply,
  }),
  refetchOnWindowFocus: 'always' as const,
})

const cachedToday = (): Today | undefined => queryClient.getQueryData<Live<Today>>(liveKey(...TODAY_KEY))?.data

export const readTodayAgain = () => queryClient.invalidateQueries({ queryKey: liveKey(...TODAY_KEY) })

export function useToday() {
  const { id } = useViewer()
  const result = useLive(todayQuery(), apply)
  useEveryLiveMessage((message) => {
    if (isAnnounced(message) && mayBring(message, id)) void readTodayAgain()
  })
  useReadAgain(() => void readTodayAgain())
  useWatchedBoards(result.live?.data.boards)
  return result
}

const CHANGES_BOARDS = new Set(['board_deleted', 'board_restored', 'board_member_added', 'board_member_removed'])

/** Messages that say too little about what they add or remove. */
function mayBring({ type, payload }: AnnouncedChange, userId: number): boolean {
  if (type === 'task_assignee_added')
    return payload.user.id === userId && !cachedToday()?.tasks.some(({ id }) => id === payload.taskId)
  return CHANGES_BOARDS.has(type)
}

const AT_MOST_EVERY_MS = 3_000

const readSoon = throttled(async () => {
  if (document.visibilityState === 'visible') await readTodayAgain()
}, AT_MOST_EVERY_MS)

/** Hears when others change one of these boards, which are not open. */
function useWatchedBoards(boards: ActiveBoard[] | undefined) {
  useLiveMessages({ boards_changed: readSoon })
  const watch = useEffectEvent(() => {
    const watched = boards?.slice(0, WATCHED_MAX).map(({ id, version }): [number, number] => [id, version]) ?? []
    send({ type: 'watch_boards', payload: { boards: watched } })
  })
  useEffect(() => (boards ? onOpen(() => watch()) : undefined), [boards])
  useEffect(() => () => send({ type: 'watch_boards', payload: { boards: [] } }), [])
}

function reducersOf(userId: number): Reducers<Today, TaskMessage | TimeEntryMessage | UserMessage> {
  const put = (today: Today, { task }: { task: Task }) =>
    task.assignees.some(({ id }) => id === userId) ? withTask(today, task) : withoutTask(today, task.id)
  const log = (today: Today, { entry }: { entry: TimeEntry }) =>
    entry.userId === userId ? withMinutes(today, entry.id, loggedMinutes(entry), entry.day) : today
  return {
    new_task: put,
    task_updated: put,
    task_deleted: (today, { taskId }) => withoutTask(today, taskId),
    task_assignee_added: (today, { taskId, user }) =>
      withAssignees(today, taskId, (assignees) => [...assignees.filter(({ id }) => id !== user.id), user]),
    task_assignee_removed: (today, { taskId, userId: removed }) =>
      removed === userId
        ? withoutTask(today, taskId)
        : withAssignees(today, taskId, (assignees) => assignees.filter(({ id }) => id !== removed)),
    user_profile_updated: (today, { user }) => ({
      ...today,
      tasks: today.tasks.map((task) => ({ ...task, assignees: updateUser(task.assignees, user) })),
      boards: today.boards.map((board) => ({ ...board, faces: updateUser(board.faces, user) })),
    }),
    time_entry_added: log,
    time_entry_updated: log,
    time_entry_deleted: (today, { entryId }) => withMinutes(today, entryId, 0),
  }
}

const withoutTask = (today: Today, taskId: number): Today => ({ ...today, tasks: today.tasks.filter(({ id }) => id !== taskId) })

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

/** Others' changes are read again a moment later. */
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

/** With this many minutes of an entry on its day, and none on others. */
const withMinutes = (today: Today, entryId: number, minutes: number, on?: string): Today => ({
  ...today,
  week: today.week.map(({ day, entries: before }) => {
    const others = before.filter(({ id }) => id !== entryId)
    const entries = day === on && minutes > 0 ? [...others, { id: entryId, minutes }] : others
    return { day, entries, minutes: entries.reduce((sum, { minutes }) => sum + minutes, 0) }
  }),
})

type Move = { task: OwnTask; place: Place }

const UNKNOWN = {
  ...EMPTY_TASK,
  ...EMPTY_FIELDS,
  createdBy: null,
  createdAt: '',
  updatedAt: null,
  position: 'a0',
  cut: true as const,
}

/** Without the board in memory, nothing shows the unknown fields. */
function predictMove(
  { task: { next, ...own }, place }: Move,
  { at }: Made,
  board: Snapshot | undefined,
): Received<TaskMessage>[] {
  const held = board?.tasks.find(({ id }) => id === own.id)
  const placed: BoardTask = board && held ? movedTo(board.tasks, held, place) : { ...UNKNOWN, ...own }
  const doneAt = place.status === 'done' ? new Date(at).toISOString() : null
  const task = { ...placed, ...own, status: place.status, position: placed.position, doneAt, revision: own.revision + 1 }
  return [{ type: 'task_updated', payload: { task } }]
}

const moveOwnTask = changeKind({
  name: 'today.move',
  send: ({ task, place }: Move, call) => client.tasks.update.mutate({ taskId: task.id, ...place }, call),
  predict: predictMove,
  undo:
    ({ task: { next, ...before }, place }) =>
    (answer: Task) => ({
      title: `Moved to ${STATUS_LABELS[place.status]}`,
      description: before.title,
      run: () =>
        submit(answer.boardId, moveBack, { task: answer, place: { status: before.status, ...(next && { before: next }) } }),
    }),
  about: ({ task }) => task.title,
  texts: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
})

export const useMoveOwnTask = (boardId: number) => useChange(boardId, moveOwnTask)

/** Refused if someone has moved the task since. */
const moveBack = changeKind({
  name: 'today.moveBack',
  send: ({ task, place }: { task: Task; place: Place }, call, made) =>
    sendOnRevision(task, ['status', 'position'], call, made, () =>
      client.tasks.update.mutate({ taskId: task.id, ...place }, call),
    ),
  predict: ({ task, place }, made, board: Snapshot | undefined) =>
    predictMove({ task: { ...task, next: null }, place }, made, board),
  about: ({ task }) => task.title,
  texts: { failure: notUndone },
})
