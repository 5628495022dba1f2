import { useRef, useState } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Dialog } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import type { Status, Task } from '../schema'
import { tellAdded, useNewTaskDraft } from './creating'

export const NewTaskForm = lazyComponent(() => import('./NewTaskForm').then((module) => module.NewTaskForm))

type Props = {
  boardId: number
  status: Status | null
  onClose(): void
  /** Returns whether the task gets the focus, for a filter may hide it. */
  onCreated(task: Task): boolean
  onShow?(task: Task): void
}

/** `status` is that of the column it was opened from, null while it is closed. */
export function NewTaskDialog({ status, onClose, onCreated, onShow, ...rest }: Props) {
  const passes = useRef(false)
  const [isEarly, setEarly] = useState(false)
  const create = (task: Task) => {
    passes.current = onCreated(task)
    if (!passes.current && onShow) tellAdded([task], [task], onShow)
    return passes.current
  }
  return (
    <Dialog
      open={status !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Create New Task"
      keep
      passesFocus={() => {
        const passed = passes.current
        passes.current = false
        return passed
      }}
    >
      {status && (
        <NewTaskForm
          fallback={<EarlyTitle boardId={rest.boardId} onFocus={() => setEarly(true)} />}
          onLost={onClose}
          isEarly={isEarly}
          status={status}
          onClose={onClose}
          onCreated={create}
          {...rest}
        />
      )}
    </Dialog>
  )
}

/** The form goes on with what is typed here, for both have the same draft. */
function EarlyTitle({ boardId, onFocus }: { boardId: number; onFocus(): void }) {
  const { values, type } = useNewTaskDraft(boardId)
  return (
    <div className="min-h-96" aria-busy>
      <Field label="Task Title">
        {(tied) => (
          <Input
            {...tied}
            onFocus={onFocus}
            autoComplete="off"
            value={values.title}
            onChange={({ target }) => type({ title: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
