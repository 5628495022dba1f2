import Trash2 from 'lucide-react/icons/trash'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ownZone } from '../../web/clock'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { useDraft } from '../../web/useDraft'
import type { TimeEntry } from '../schema'
import { deleteTime, useEditTime } from './cache'
import { hoursAndMinutes } from './parseDuration'
import { type EntryChanges, startChanges } from './predictions'
import { onDay, TimeForm, useTimeForm } from './TimeForm'

const DEFAULT_MINUTES = 60

type Props = { entry: TimeEntry; focus?: 'note'; onClose(): void; onDeleted(): void }

export function EditTime({ entry, focus, onClose, onDeleted }: Props) {
  const edit = useEditTime(entry.boardId)
  const { task, duration, note, day, billable } = entry
  const stored = { ...hoursAndMinutes(duration || DEFAULT_MINUTES), note: note ?? '', day, notify: true, billable }
  const form = useTimeForm(useDraft(`time-entry-${entry.id}`, stored), {
    onClose,
    send: ({ note, notify, billable, day }, duration) =>
      edit.run({ entry, changes: { duration, note, billable, notify, ...movedToDay(day, entry) } }),
  })
  const shared = { form, busy: edit.isPending, focus, onClose }
  return (
    <TimeForm title="Edit Time Entry" description={task} action="Save Changes" {...shared}>
      <DeleteTime
        entry={entry}
        disabled={edit.isPending}
        onDeleted={() => {
          flushSync(form.close)
          onDeleted()
        }}
      />
    </TimeForm>
  )
}

/** An unchanged day stays as it is: the work may have been done in another time zone. */
function movedToDay(day: string, entry: TimeEntry): EntryChanges {
  if (day === entry.day) return {}
  return startChanges(entry, onDay(day, new Date(entry.startTime)).toISOString(), ownZone())
}

type DeleteProps = { entry: TimeEntry; disabled: boolean; onDeleted(): void }

export function DeleteTime({ entry, disabled, onDeleted }: DeleteProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="mr-auto -ml-inset" disabled={disabled} onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      <ConfirmDelete entry={asking ? entry : undefined} onClose={() => setAsking(false)} onDeleted={onDeleted} />
    </>
  )
}

type ConfirmProps = { entry: TimeEntry | undefined; onClose(): void; onDeleted?(): void }

/** Open while there is an entry, which leaves the lists at once and returns if the deletion is refused. */
export function ConfirmDelete({ entry, onClose, onDeleted }: ConfirmProps) {
  const confirmed = useRef(false)
  return (
    <Confirm
      open={entry !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure?"
      text="This will permanently delete this time entry. This action cannot be undone."
      action="Delete"
      onConfirm={() => {
        confirmed.current = true
        if (entry) void deleteTime(entry)
        onClose()
      }}
      onCloseAutoFocus={(event) => {
        // The button that would get the focus is removed with its entry.
        if (!confirmed.current || !onDeleted) return
        confirmed.current = false
        event.preventDefault()
        onDeleted()
      }}
    />
  )
}
