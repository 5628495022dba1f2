import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { Field } from '../../web/ui/Field'
import type { Task } from '../schema'
import { useUpdateTask } from './cache'
import { DueInput } from './DueInput'
import { tagsOf } from './display'
import { TagInput } from './TagInput'

export function DueAndTags({ board, task, locked }: { board: Board; task: Task; locked: boolean }) {
  const update = useUpdateTask(board.id)
  const known = tagsOf(useBoardView(board.id)?.tasks ?? [])
  return (
    <>
      <Field label="Due date">
        {(tied) => (
          <DueInput
            {...tied}
            disabled={locked}
            due={task.dueDate}
            onChange={(dueDate) => void update.run({ taskId: task.id, changes: { dueDate } })}
          />
        )}
      </Field>
      <Field label="Tags">
        {({ id }) => (
          <TagInput
            id={id}
            disabled={locked}
            tags={task.tags}
            known={known}
            onChange={(tags) => void update.run({ taskId: task.id, changes: { tags } })}
          />
        )}
      </Field>
    </>
  )
}
