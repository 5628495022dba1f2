import { Dialog } from '../../../web/ui/Dialog'
import { useDraft } from '../../../web/useDraft'
import { useEditTime } from '../../timers/page/cache'
import type { Changes } from '../../timers/page/predicted'
import type { TimeEntry } from '../schema'
import { DeleteTime } from './DeleteTime'
import { fieldsOf, onDay, ownZone } from './display'
import { TimeForm } from './TimeForm'
import { useTimeForm } from './useTimeForm'

/** Where an entry has no duration. */
const DEFAULT_MINUTES = 60

type Props = { boardId: number; entry: TimeEntry; onClose(): void; onDeleted(): void }

/** The Edit Time Entry dialog. */
export const EditTime = (props: Props) => (
  <Dialog open onOpenChange={(open) => !open && props.onClose()} title="Edit Time Entry" description={props.entry.task} keep>
    <EditForm {...props} />
  </Dialog>
)

function EditForm({ boardId, entry, onClose, onDeleted }: Props) {
  const edit = useEditTime(boardId)
  const { duration, note, day, billable } = entry
  const time = fieldsOf(duration || DEFAULT_MINUTES)
  const stored = { ...time, note: note ?? '', day, isSilent: false, isUnbilled: !billable }
  const form = useTimeForm(useDraft(`time-entry-${entry.id}`, stored), {
    onClose,
    send: ({ note, isSilent, isUnbilled, day }, duration) =>
      edit.run({ entry, changes: { duration, note, billable: !isUnbilled, notify: !isSilent, ...movedTo(day, entry) } }),
  })
  return (
    <TimeForm form={form} busy={edit.isPending} action="Save Changes">
      <DeleteTime
        boardId={boardId}
        entry={entry}
        disabled={edit.isPending}
        onDeleted={() => {
          form.close()
          onDeleted()
        }}
      />
    </TimeForm>
  )
}

/** Only another day moves the work: its own is that of where it was done, which may be elsewhere. */
function movedTo(day: string, entry: TimeEntry): Changes {
  if (day === entry.day) return {}
  return { startTime: onDay(day, new Date(entry.startTime)).toISOString(), timeZone: ownZone() }
}
