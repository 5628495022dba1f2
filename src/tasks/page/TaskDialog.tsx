import { useRef } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Dialog } from '../../web/ui/Dialog'
import { HereInTask } from './HereInTask'
import type { TaskProps } from './TaskContents'

export const TaskContents = lazyComponent(() => import('./TaskContents').then((module) => module.TaskContents))

export function TaskDialog(props: TaskProps) {
  const { board, task, onClose } = props
  const save = useRef(onClose)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && (save.current ?? onClose)()}
      title={task.title}
      above={board.name}
      beside={<HereInTask taskId={task.id} />}
      shape="panels"
      addressed
    >
      <TaskContents {...props} ref={save} fallback={<div className="min-h-96 flex-1" aria-busy />} onLost={onClose} />
    </Dialog>
  )
}
