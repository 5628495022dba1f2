import type { Received } from '../../protocol'
import { STATUS_LABELS } from '../../tasks/basics'
import { movedTo, type Place } from '../../tasks/page/reducers'
import type { BoardTask, Snapshot, Task, TaskMessage } from '../../tasks/schema'
import { client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import { notUndone, upon } from '../../web/live/upon'
import type { OwnTask } from '../schema'

type Move = { task: OwnTask; place: Place }

const UNKNOWN = {
  ...{ description: null, tags: [], createdBy: null, createdAt: '', updatedAt: null, position: '' },
  ...{ commentCount: 0, fileCount: 0, minutes: 0, cut: true as const },
}

/** Where the board itself is not held, nothing shows what is not known of the task. */
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

const move = changeKind({
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

export const useMoveOwnTask = (boardId: number) => useChange(boardId, move)

/** Refused where somebody has moved the task since. */
const moveBack = changeKind({
  name: 'today.moveBack',
  send: ({ task, place }: { task: Task; place: Place }, call, made) =>
    upon(task, ['status', 'position'], call, made, () => client.tasks.update.mutate({ taskId: task.id, ...place }, call)),
  predict: ({ task, place }, made, board: Snapshot | undefined) =>
    predictMove({ task: { ...task, next: null }, place }, made, board),
  about: ({ task }) => task.title,
  texts: { failure: notUndone },
})
