import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Checklist } from '../../checklist'
import type { Received } from '../../protocol'
import { LISTED_AT_ONCE } from '../../protocol'
import { displayName, type UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { type ChangeKind, changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { isOvertaken, notUndone, sendOnRevision } from '../../web/live/revisions'
import { handle, listen, useLiveMessages } from '../../web/live/socket'
import { queryClient, trpc } from '../../web/queryClient'
import { deniedOr, refusalOf } from '../../web/refusal'
import { throttled } from '../../web/scheduling'
import { STATUS_LABELS, type TaskField } from '../limits'
import type { BoardTask, Snapshot, Task, TaskChanges, TaskMessage } from '../schema'
import { movedTo, type Place, placeAt } from './reducers'

type TaskChange = Received<TaskMessage>

export const taskTitle = (board: Snapshot | undefined, taskId: number) =>
  board?.tasks.find(({ id }) => id === taskId)?.title ?? ''

export const taskChange = <Input extends { taskId: number }, Answer>(kind: ChangeKind<Input, Answer, Snapshot>) =>
  changeKind<Input, Answer, Snapshot>({ about: ({ taskId }, board) => taskTitle(board, taskId), ...kind })

const updated = (task: BoardTask): TaskChange => ({ type: 'task_updated', payload: { task } })

type Update = {
  taskId: number
  changes: TaskChanges
  /** The texts when editing began: changes that others made meanwhile are not overwritten. */
  base?: { revision: number; title?: string; description?: string | null }
}

type Predicted = Pick<Update, 'taskId' | 'changes'> & { checklist?: Checklist | undefined }

/** Only the server counts the checkboxes of a new text. */
export function predictUpdate(
  { taskId, changes: given, checklist }: Predicted,
  { at }: Made,
  board: Snapshot | undefined,
): TaskChange[] {
  const task = board?.tasks.find(({ id }) => id === taskId)
  if (!board || !task) return []
  const { status = task.status, before, after, ...fields } = given
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const moves = status !== task.status || before !== undefined || after !== undefined
  const placed = moves ? movedTo(board.tasks, task, { status, before, after }) : task
  const doneAt = status === 'done' ? (task.doneAt ?? new Date(at).toISOString()) : null
  const { cut, ...changed } = { ...placed, ...changes, doneAt, revision: task.revision + 1 }
  // A new description is complete, even if the board held only the beginning of the old one.
  if ('description' in changes)
    return [updated({ ...changed, checklist: checklist ?? (changed.description ? task.checklist : undefined) })]
  return [updated(cut ? { ...changed, cut } : changed)]
}

const TEXTS = ['title', 'description'] as const

function sendUpdate({ taskId, changes, base }: Update, call: Call, made: Made): Promise<Task> {
  const send = () => client.tasks.update.mutate({ taskId, ...changes }, call)
  const texts = TEXTS.filter((field) => base?.[field] !== undefined)
  return base && texts.length > 0 ? sendOnRevision(base, texts, call, made, send) : send()
}

const OVERTAKEN = 'Someone else changed this text at the same time. Open the task to choose a version.'

const typedIn = ({ title, description }: TaskChanges) => [title, description].filter(Boolean).join('\n\n')

export const update = taskChange({
  name: 'tasks.update',
  send: sendUpdate,
  predict: predictUpdate,
  undo: undoUpdate,
  textOf: ({ changes }) => typedIn(changes),
  texts: {
    failure: (error) => ({
      title: 'Update Failed',
      description: isOvertaken(error) ? OVERTAKEN : 'Could not update task. Please try again.',
    }),
  },
})

type PutBack = { task: Task; changes: TaskChanges }

/**
 * For several undos in a row. By id and revision: the task after all changes since that revision were undone. It is back in
 * place, though its position may be written differently.
 */
const sinceUndone = new Map<string, Task>()

/** Only if the task is as the undone change left it: later changes of others stay. */
async function sendBack({ task, changes: { before, after, ...changes } }: PutBack, call: Call, made: Made): Promise<Task> {
  const { id, revision } = task
  const given = Object.keys(changes) as (keyof typeof changes)[]
  const fields = given.includes('status') ? [...given, 'position' as const] : given
  const answer = await sendOnRevision(sinceUndone.get(`${id} ${revision}`) ?? task, fields, call, made, () =>
    client.tasks.update.mutate({ taskId: id, before, after, ...changes }, call),
  )
  sinceUndone.set(`${id} ${revision - 1}`, answer)
  return answer
}

const putBack = changeKind({
  name: 'tasks.putBack',
  send: sendBack,
  predict: ({ task, changes }, made, board: Snapshot | undefined) => predictUpdate({ taskId: task.id, changes }, made, board),
  textOf: ({ changes }) => typedIn(changes),
  about: ({ task }) => task.title,
  texts: { failure: notUndone },
})

function undoUpdate({ taskId, changes, base }: Update, board: Snapshot | undefined, boardId: number) {
  const task = board?.tasks.find(({ id }) => id === taskId)
  const former = board && task && inverseChanges(board.tasks, task, changes, base)
  if (!former) return null
  return (answer: Task) => ({
    title: changeText(changes),
    description: task.title,
    run: () => submit(boardId, putBack, { task: answer, changes: former }),
  })
}

export type Move = { taskId: number; place: Place }

export const move = taskChange({
  name: 'tasks.move',
  send: ({ taskId, place }: Move, call) => client.tasks.update.mutate({ taskId, ...place }, call),
  predict: ({ taskId, place }, made, board) => predictUpdate({ taskId, changes: place }, made, board),
  undo: ({ taskId, place }, board, boardId) => undoUpdate({ taskId, changes: place }, board, boardId),
  texts: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
})

type KnownTexts = { title?: string; description?: string | null }

/** The changes that restore the task as it is now; undefined if its whole description is not loaded. */
function inverseChanges(tasks: Task[], task: BoardTask, changes: TaskChanges, known: KnownTexts = {}): TaskChanges | undefined {
  const { before, after, status = task.status, ...fields } = changes
  if ('description' in fields && known.description === undefined && task.cut) return undefined
  const moves = before !== undefined || after !== undefined || status !== task.status
  const former = Object.fromEntries(Object.keys(fields).map((field) => [field, { ...task, ...known }[field as keyof Task]]))
  return { ...former, ...(moves && placeOf(tasks, task)) }
}

function placeOf(tasks: Task[], { id, status }: Task): Place {
  const index = tasks.filter((task) => task.status === status).findIndex((task) => task.id === id)
  return placeAt(tasks, id, status, index)
}

const CHANGED = {
  title: 'Title Changed',
  description: 'Description Changed',
  dueDate: 'Due Date Changed',
  tags: 'Tags Changed',
}

function changeText({ before, after, status, ...fields }: TaskChanges): string {
  const [only, ...others] = Object.keys(fields) as Exclude<TaskField, 'status'>[]
  if (!only) return status ? `Moved to ${STATUS_LABELS[status]}` : 'Moved'
  return others.length > 0 || status ? 'Task Changed' : CHANGED[only]
}

export const assign = taskChange({
  name: 'tasks.assign',
  send: ({ taskId, user }: { taskId: number; user: UserSummary }, call) =>
    client.tasks.assign.mutate({ taskId, userId: user.id }, call),
  predict: (payload): TaskChange[] => [{ type: 'task_assignee_added', payload }],
  undo:
    ({ taskId, user }, board, boardId) =>
    () => ({
      title: 'User Assigned',
      description: `${displayName(user)} · ${taskTitle(board, taskId)}`,
      run: (): Promise<unknown> => submit(boardId, unassign, { taskId, userId: user.id }),
    }),
  texts: {
    failure: { title: 'Assignment Failed', description: 'Could not assign user to the task. Please try again.' },
  },
})

export const unassign = taskChange({
  name: 'tasks.unassign',
  send: (input: { taskId: number; userId: number }, call) => client.tasks.unassign.mutate(input, call),
  predict: (payload): TaskChange[] => [{ type: 'task_assignee_removed', payload }],
  undo({ taskId, userId }, board, boardId) {
    const task = board?.tasks.find(({ id }) => id === taskId)
    const user = task?.assignees.find(({ id }) => id === userId)
    if (!user) return null
    return () => ({
      title: 'Assignee Removed',
      description: `${displayName(user)} · ${task?.title ?? ''}`,
      run: (): Promise<unknown> => submit(boardId, assign, { taskId, user }),
    })
  },
  texts: {
    failure: { title: 'Removal Failed', description: 'Could not remove user from the task. Please try again.' },
  },
})

export const restore = changeKind({
  name: 'tasks.restore',
  send: ({ taskId }: { taskId: number; title?: string }, call) => client.tasks.restore.mutate({ taskId }, call),
  about: ({ title = '' }) => title,
  texts: {
    failure: (error) => ({
      title: 'Restore Failed',
      description: refusalOf(error)?.message ?? 'Could not restore the task. Please try again.',
    }),
  },
})

export const deleteTask = taskChange({
  name: 'tasks.delete',
  send: ({ taskId }: { taskId: number }, call) => client.tasks.delete.mutate({ taskId }, call),
  predict: (payload): Received<TaskMessage>[] => [{ type: 'task_deleted', payload }],
  undo:
    ({ taskId }, board, boardId) =>
    () => ({
      title: 'Task Deleted',
      description: taskTitle(board, taskId),
      run: () => submit(boardId, restore, { taskId }),
      until: (end) => listen(handle({ new_task: ({ task }) => task.id === taskId && end() })),
    }),
  texts: {
    failure: deniedOr({ title: 'Deletion Failed', description: 'Could not delete the task. Please try again.' }),
  },
})

const deletedTasksQuery = (boardId: number) => ({ ...trpc.tasks.deleted.queryOptions({ boardId }), staleTime: 0 })

/** Reread when a task is added or removed, and after joining the board. */
export function useDeletedTasks(boardId: number) {
  const query = deletedTasksQuery(boardId)
  const [readAgain] = useState(() => throttled(() => queryClient.invalidateQueries(query)))
  const concerns = (payload: { boardId: number }) => payload.boardId === boardId && readAgain()
  useLiveMessages({ task_deleted: concerns, new_task: concerns, joined_board: concerns })
  const { data, ...rest } = useQuery(query)
  // A restored task is on the board before the list is read again.
  const onBoard = new Set(useBoardView(boardId)?.tasks.map(({ id }) => id))
  return { tasks: data?.filter(({ id }) => !onBoard.has(id)), isFull: data?.length === LISTED_AT_ONCE, ...rest }
}
