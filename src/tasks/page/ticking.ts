import { type Checkbox, type Checklist, withCheckbox } from '../../checklist'
import { type Call, client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import { notUndone } from '../../web/live/upon'
import { boxGone, settledRevision, tickText, uponCheckbox } from '../../web/live/uponCheckbox'
import type { Snapshot, Task } from '../schema'
import { predictUpdate, titleOf } from './cache'

type Ticking = { taskId: number; box: Checkbox; base: { revision: number; text: string } }

function predict({ taskId, box, base }: Ticking, made: Made, board: Snapshot | undefined) {
  const task = board?.tasks.find(({ id }) => id === taskId)
  const before = (task?.cut ? base.text : task?.description) ?? ''
  const description = withCheckbox(before, box)
  if (description === undefined) return []
  const checklist = description === before ? task?.checklist : withTick(task?.checklist, box)
  return predictUpdate({ taskId, changes: { description }, checklist }, made, board)
}

const withTick = (known: Checklist | undefined, { done }: Checkbox) => known && { ...known, done: known.done + (done ? 1 : -1) }

const given = {
  send: ({ taskId, box, base }: Ticking, call: Call) =>
    uponCheckbox(
      {
        ...{ box, base },
        textOf: (task: Task) => task.description ?? '',
        send: (description) => client.tasks.update.mutate({ taskId, description }, call),
      },
      call,
    ),
  predict,
  textOf: ({ box }: Ticking) => box.words,
  about: ({ taskId }: Ticking, board: Snapshot | undefined) => titleOf(board, taskId),
}

const tickBack = changeKind({ ...given, name: 'tasks.tickBack', texts: { failure: notUndone } })

const tick = changeKind({
  ...given,
  name: 'tasks.tick',
  undo:
    ({ taskId, box }: Ticking, _board: Snapshot | undefined, boardId) =>
    (ticked: Task | null) =>
      ticked && {
        title: tickText(box),
        description: box.words,
        run: () =>
          submit(boardId, tickBack, {
            ...{ taskId, box: { ...box, done: !box.done } },
            base: { revision: ticked.revision, text: ticked.description ?? '' },
          }),
      },
  texts: { failure: boxGone({ title: 'Update Failed', description: 'Could not update task. Please try again.' }) },
})

/** Of a description that may be another by now. */
type Shown = { text: string | undefined; isKnown: boolean }

export function useTick(boardId: number) {
  const { run } = useChange(boardId, tick)
  return (task: Task, { text = '', isKnown }: Shown, box: Checkbox) =>
    run({ taskId: task.id, box, base: { revision: isKnown ? settledRevision(task) : 0, text } })
}
