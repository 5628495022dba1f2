import type { Checklist } from '../../checklist'
import type { Received } from '../../protocol'
import { type Call, client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { submitWithUndo, useChange } from '../../web/live/predictions'
import { isOvertaken, notUndone, upon } from '../../web/live/upon'
import type { BoardTask, Snapshot, Task, TaskChanges, TaskMessage } from '../schema'
import { changeText, inverseChanges } from './inverseChanges'
import { movedTo, type Place } from './taskPlace'

type TaskChange = Received<TaskMessage>

export const titleOf = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.title ?? ''

const updated = (task: BoardTask): TaskChange => ({ type: 'task_updated', payload: { task } })

type Update = {
  taskId: number
  changes: TaskChanges
  /** What the texts were when their editing began: whoever changed one of them meanwhile is not overwritten. */
  base?: { revision: number; title?: string; description?: string | null }
}

type Predicted = Pick<Update, 'taskId' | 'changes'> & { checklist?: Checklist | undefined }

/** Only the server counts the boxes of another text. */
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
  // A new description is complete, even where the board held only the beginning of the old one.
  if ('description' in changes)
    return [updated({ ...changed, checklist: checklist ?? (changed.description ? task.checklist : undefined) })]
  return [updated(cut ? { ...changed, cut } : changed)]
}

const TEXTS = ['title', 'description'] as const

function sendUpdate({ taskId, changes, base }: Update, call: Call, made: Made): Promise<Task> {
  const send = () => client.tasks.update.mutate({ taskId, ...changes }, call)
  const texts = TEXTS.filter((field) => base?.[field] !== undefined)
  return base && texts.length > 0 ? upon(base, texts, call, made, send) : send()
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
  return upon(task, fields, call, made, () => client.tasks.update.mutate({ taskId: task.id, before, after, ...changes }, call))
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
  const former = board && task && inverseChanges(board.tasks, task, changes, base)
  if (!former) return null
  const undone = (answer: Task) => ({
    title: changeText(changes),
    description: task.title,
    run: () => submit(boardId, putBack, { task: answer, changes: former }),
  })
  return undone
}

export const useUpdateTask = (boardId: number) => useChange(boardId, update)

export type Move = { taskId: number; place: Place }

const move = changeKind({
  name: 'tasks.move',
  send: ({ taskId, place }: Move, call) => client.tasks.update.mutate({ taskId, ...place }, call),
  predict: ({ taskId, place }, made, board: Snapshot | undefined) => predictUpdate({ taskId, changes: place }, made, board),
  undo: ({ taskId, place }, board: Snapshot | undefined, boardId) => undoUpdate({ taskId, changes: place }, board, boardId),
  about: ({ taskId }, board: Snapshot | undefined) => titleOf(board, taskId),
  texts: { failure: { title: 'Error', description: 'Could not update task status. Please try again.' } },
})

export const moveTask = (boardId: number, given: Move) => submitWithUndo(boardId, move, given)
