import { Dialog } from '../../../web/ui/Dialog'
import { useDraft } from '../../../web/useDraft'
import { useEditTime } from '../../timers/page/cache'
import type { TimeEntry } from '../schema'
import { DeleteTime } from './DeleteTime'
import { fieldsOf, onDay, ownZone } from './display'
import type { EntryChanges } from './predict'
import { TimeForm } from './TimeForm'
import { useTimeForm } from './useTimeForm'

const DEFAULT_MINUTES = 60

type Props = { boardId: number; entry: TimeEntry; onClose(): void; onDeleted(): void }

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
      edit.run({ entry, changes: { duration, note, billable: !isUnbilled, notify: !isSilent, ...movedToDay(day, entry) } }),
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

/** An unchanged day stays as it is: the work may have been done in another time zone. */
function movedToDay(day: string, entry: TimeEntry): EntryChanges {
  if (day === entry.day) return {}
  return { startTime: onDay(day, new Date(entry.startTime)).toISOString(), timeZone: ownZone() }
}
