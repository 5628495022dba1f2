import Trash2 from 'lucide-react/icons/trash'
import { useRef, useState } from 'react'
import { ownZone } from '../../web/clock'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Dialog } from '../../web/ui/Dialog'
import { useDraft } from '../../web/useDraft'
import type { TimeEntry } from '../schema'
import { useDeleteTime, useEditTime } from './cache'
import { hoursAndMinutes } from './duration'
import type { EntryChanges } from './predictions'
import { loadTimeFields, onDay, TimeForm, useTimeForm } from './TimeForm'

const DEFAULT_MINUTES = 60

type Props = { boardId: number; entry: TimeEntry; focus?: 'note' | undefined; onClose(): void; onDeleted(): void }

/** The form with its checks, so that a note can be written without a connection. */
export const loadEditTime = () => loadTimeFields().then(() => EditTime)

export const EditTime = (props: Props) => (
  <Dialog open onOpenChange={(open) => !open && props.onClose()} title="Edit Time Entry" description={props.entry.task} keep>
    <EditForm {...props} />
  </Dialog>
)

function EditForm({ boardId, entry, focus, onClose, onDeleted }: Props) {
  const edit = useEditTime(boardId)
  const { duration, note, day, billable } = entry
  const time = hoursAndMinutes(duration || DEFAULT_MINUTES)
  const stored = { ...time, note: note ?? '', day, isSilent: false, isUnbilled: !billable }
  const form = useTimeForm(useDraft(`time-entry-${entry.id}`, stored), {
    onClose,
    send: ({ note, isSilent, isUnbilled, day }, duration) =>
      edit.run({ entry, changes: { duration, note, billable: !isUnbilled, notify: !isSilent, ...movedToDay(day, entry) } }),
  })
  return (
    <TimeForm form={form} busy={edit.isPending} action="Save Changes" focus={focus}>
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

type DeleteProps = Omit<Props, 'onClose' | 'focus'>

export function DeleteTime({ disabled, ...rest }: DeleteProps & { disabled: boolean }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="mr-auto -ml-2" disabled={disabled} onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      <ConfirmDelete {...rest} open={asking} onOpenChange={setAsking} />
    </>
  )
}

type ConfirmProps = Omit<DeleteProps, 'entry' | 'onDeleted'> & {
  entry: TimeEntry | undefined
  onDeleted?(): void
  open: boolean
  onOpenChange(open: boolean): void
}

/** The entry leaves the lists at once, and comes back if the deletion is refused. */
export function ConfirmDelete({ boardId, entry, open, onOpenChange, onDeleted }: ConfirmProps) {
  const deletion = useDeleteTime(boardId)
  const confirmed = useRef(false)
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Are you sure?"
      text="This will permanently delete this time entry. This action cannot be undone."
      action="Delete"
      onConfirm={() => {
        confirmed.current = true
        if (entry) void deletion.run(entry)
        onOpenChange(false)
      }}
      onCloseAutoFocus={(event) => {
        // The button that would get the focus is deleted with its entry.
        if (!confirmed.current) return
        confirmed.current = false
        event.preventDefault()
        onDeleted?.()
      }}
    />
  )
}
