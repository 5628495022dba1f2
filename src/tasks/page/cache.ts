import { useViewer } from '../../auth/page/cache'
import { ticksIn } from '../../boxes'
import type { Received } from '../../protocol'
import type { Call } from '../../web/calls'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import { isOvertaken, notUndone, upon } from '../../web/live/upon'
import { deniedOr, refusalOf } from '../../web/refusal'
import { serverNow } from '../../web/serverClock'
import type { BoardTask, NewTask, Snapshot, Task, TaskChanges, TaskMessage } from '../schema'
import { tasksApi } from './api'
import { changeText, formerly } from './formerly'
import { movedTo, type Place } from './taskPlace'

type TaskChange = Received<TaskMessage>

export const titleOf = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.title ?? ''

const created = (task: Task): TaskChange => ({ type: 'new_task', payload: { task } })
const updated = (task: BoardTask): TaskChange => ({ type: 'task_updated', payload: { task } })
const deleted = (taskId: number): TaskChange => ({ type: 'task_deleted', payload: { taskId } })

type Update = {
  taskId: number
  changes: TaskChanges
  /** What the texts were when their editing began: whoever changed one of them meanwhile is not overwritten. */
  base?: { revision: number; title?: string; description?: string | null }
}

export function predictUpdate({ taskId, changes: given }: Update, { at }: Made, board: Snapshot | undefined): TaskChange[] {
  const task = board?.tasks.find(({ id }) => id === taskId)
  if (!board || !task) return []
  const { status = task.status, before, after, ...fields } = given
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const moves = status !== task.status || before !== undefined || after !== undefined
  const placed = moves ? movedTo(board.tasks, task, { status, before, after }) : task
  const doneAt = status === 'done' ? (task.doneAt ?? new Date(at).toISOString()) : null
  const { cut, ...changed } = { ...placed, ...changes, doneAt, revision: task.revision + 1 }
  // A new description is complete, even where the board held only the beginning of the old one.
  if ('description' in changes) return [updated({ ...changed, ticks: ticksIn(changed.description) })]
  return [updated(cut ? { ...changed, cut } : changed)]
}

const TEXTS = ['title', 'description'] as const

function sendUpdate({ taskId, changes, base }: Update, call: Call, made: Made): Promise<Task> {
  const send = () => tasksApi.update.mutate({ taskId, ...changes }, call)
  const texts = TEXTS.filter((field) => base?.[field] !== undefined)
  return base && texts.length > 0 ? upon(base, texts, call, made, send) : send()
}

type Creation = { given: NewTask; createdBy: number }

function newTaskOf(
  { given, createdBy }: Creation,
  { id, boardId, at }: Pick<Made, 'id' | 'boardId' | 'at'>,
  board: Snapshot | undefined,
): Task {
  const { title, status, tags, description = null, dueDate = null } = given
  const none = { assignees: [], commentCount: 0, minutes: 0, updatedAt: null, revision: 1 }
  const createdAt = new Date(at).toISOString()
  const doneAt = status === 'done' ? createdAt : null
  const task = { id, title, description, status, tags, dueDate, boardId, createdBy, createdAt, doneAt, position: '', ...none }
  const ticks = ticksIn(description)
  return movedTo(board?.tasks ?? [], { ...task, ticks }, { status })
}

const create = changeKind({
  name: 'tasks.create',
  waits: true,
  creates: { type: 'new_task', as: 'task' },
  send: ({ given }: Creation, call, { boardId }) => tasksApi.create.mutate({ boardId, ...given }, call),
  predict: (creation, made, board: Snapshot | undefined) => [created(newTaskOf(creation, made, board))],
  textOf: ({ given }) => [given.title, given.description].filter(Boolean).join('\n\n'),
  texts: {
    success: { title: 'Task Created' },
    failure: { title: 'Creation Failed', description: 'Could not create the task. Please try again.' },
  },
})

/** `run` answers with the task, as it is predicted where the server cannot be reached. */
export function useCreateTask(boardId: number) {
  const { id: createdBy } = useViewer()
  const { run: submitted, isPending } = useChange(boardId, create)
  const run = async (given: NewTask): Promise<Task | undefined> => {
    const outcome = await submitted({ given, createdBy })
    return outcome && (outcome.answer ?? newTaskOf({ given, createdBy }, { ...outcome, boardId, at: serverNow() }, undefined))
  }
  return { run, isPending }
}

const OVERTAKEN = 'Somebody else changed this text at the same time. Open the task to choose which one stays.'

const update = changeKind({
  name: 'tasks.update',
  send: sendUpdate,
  predict: (input, made, board: Snapshot | undefined) => predictUpdate(input, made, board),
  undo: undoUpdate,
  textOf: ({ changes: { title, description } }) => [title, description].filter(Boolean).join('\n\n'),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    failure: (error) => ({
      title: 'Update Failed',
      description: isOvertaken(error) ? OVERTAKEN : 'Could not update task. Please try again.',
    }),
  },
})

type PutBack = { task: Task; changes: TaskChanges }

/** Upon the task as one's own change left it: whatever somebody else has changed of it since stays. */
function sendBack({ task, changes: { before, after, ...changes } }: PutBack, call: Call, made: Made): Promise<Task> {
  const given = Object.keys(changes) as (keyof typeof changes)[]
  const fields = given.includes('status') ? [...given, 'position' as const] : given
  return upon(task, fields, call, made, () => tasksApi.update.mutate({ taskId: task.id, before, after, ...changes }, call))
}

const putBack = changeKind({
  name: 'tasks.putBack',
  send: sendBack,
  predict: ({ task, changes }, made, board: Snapshot | undefined) => predictUpdate({ taskId: task.id, changes }, made, board),
  textOf: ({ changes: { title, description } }) => [title, description].filter(Boolean).join('\n\n'),
  about: ({ task }) => task.title,
  texts: { failure: notUndone },
})

function undoUpdate({ taskId, changes, base }: Update, board: Snapshot | undefined, boardId: number) {
  const task = board?.tasks.find(({ id }) => id === taskId)
  const former = board && task && formerly(board.tasks, task, changes, base)
  if (!former) return null
  const undone = (answer: Task) => ({
    text: changeText(changes),
    about: task.title,
    run: () => submit(boardId, putBack, { task: answer, changes: former }),
  })
  return undone
}

export const useUpdateTask = (boardId: number) => useChange(boardId, update)

const move = changeKind({
  name: 'tasks.move',
  send: ({ taskId, place }: { taskId: number; place: Place }, call) => tasksApi.update.mutate({ taskId, ...place }, call),
  predict: ({ taskId, place }, made, board: Snapshot | undefined) => predictUpdate({ taskId, changes: place }, made, board),
  undo: ({ taskId, place }, board: Snapshot | undefined, boardId) => undoUpdate({ taskId, changes: place }, board, boardId),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
})

export const useMoveTask = (boardId: number) => useChange(boardId, move)

const restore = changeKind({
  name: 'tasks.restore',
  send: ({ taskId }: { taskId: number }, call) => tasksApi.restore.mutate({ taskId }, call),
  texts: {
    success: { title: 'Task Restored' },
    failure: (error) => ({
      title: 'Restore Failed',
      description: refusalOf(error)?.message ?? 'Could not bring the task back. Please try again.',
    }),
  },
})

const remove = changeKind({
  name: 'tasks.delete',
  send: ({ taskId }: { taskId: number }, call) => tasksApi.delete.mutate({ taskId }, call),
  predict: ({ taskId }) => [deleted(taskId)],
  undo:
    ({ taskId }, board: Snapshot | undefined, boardId) =>
    () => ({ text: 'Task deleted', about: titleOf(board, taskId), run: () => submit(boardId, restore, { taskId }) }),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: {
    success: { title: 'Task Deleted' },
    failure: deniedOr({ title: 'Deletion Failed', description: 'Could not delete the task. Please try again.' }),
  },
})

export function useDeleteTask(boardId: number) {
  const { run } = useChange(boardId, remove)
  return { run: (taskId: number) => run({ taskId }) }
}
