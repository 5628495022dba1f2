import { useRef } from 'react'
import { Dialog } from '../../web/ui/Dialog'
import type { Status, Task } from '../schema'
import { tellAdded } from './creating'
import { NewTaskForm } from './NewTaskForm'

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
      {status && <NewTaskForm status={status} onClose={onClose} onCreated={create} {...rest} />}
    </Dialog>
  )
}
