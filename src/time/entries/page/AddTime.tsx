import { dayAt } from '../../../basics'
import type { Task } from '../../../tasks/schema'
import { Dialog } from '../../../web/ui/Dialog'
import { useDraft } from '../../../web/useDraft'
import { useAddTime } from '../../timers/page/cache'
import { onDay, ownZone } from './display'
import { TimeForm } from './TimeForm'
import { useTimeForm } from './useTimeForm'

type Props = { boardId: number; task: Task; open: boolean; onClose(): void }

export const AddTime = ({ open, ...rest }: Props) => (
  <Dialog open={open} onOpenChange={(next) => !next && rest.onClose()} title="Add Time Entry" description={rest.task.title} keep>
    <AddForm {...rest} />
  </Dialog>
)

function AddForm({ boardId, task, onClose }: Omit<Props, 'open'>) {
  const addition = useAddTime(boardId)
  const draft = useDraft(`time-${task.id}`, { ...EMPTY, day: dayAt(new Date()) })
  const form = useTimeForm(draft, {
    onClose,
    send({ day, note, isSilent, isUnbilled }, duration) {
      const startTime = onDay(day, new Date()).toISOString()
      const given = { startTime, duration, note, billable: !isUnbilled, timeZone: ownZone(), notify: !isSilent }
      return addition.run({ task, given })
    },
  })
  return <TimeForm form={form} busy={addition.isPending} action="Add Time Entry" />
}

const EMPTY = { hours: '1', minutes: '0', note: '', isSilent: false, isUnbilled: false }
