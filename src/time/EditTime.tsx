import type { SubmitEvent } from 'react'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { useEditTime } from './cache'
import { DeleteTime } from './DeleteTime'
import { fieldsOf, onDay, ownZone } from './display'
import type { Changes } from './foreseen'
import type { TimeEntry } from './inputs'
import { TimeFields } from './TimeFields'
import { useTimeForm } from './useTimeForm'

/** When a duration is missing (board-page.md, section 5). */
const DEFAULT_MINUTES = 60

type Props = { boardId: number; entry: TimeEntry; onClose(): void; onDeleted?(): void }

/** The Edit Time Entry dialog. */
export const EditTime = (props: Props) => (
  <Dialog open onOpenChange={(open) => !open && props.onClose()} title="Edit Time Entry" description={props.entry.task} keep>
    <EditForm {...props} />
  </Dialog>
)

function EditForm({ boardId, entry, onClose, onDeleted }: Props) {
  const edit = useEditTime(boardId)
  const stored = { ...fieldsOf(entry.duration || DEFAULT_MINUTES), note: entry.note ?? '', day: entry.day, silent: '' }
  const { values, errors, type, discard, check } = useTimeForm(`time-entry-${entry.id}`, stored)
  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const duration = check()
    if (duration === undefined) return
    const changes = { duration, note: values.note, notify: !values.silent, ...movedTo(values.day, entry) }
    if (await edit.run({ entry, changes })) close()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <TimeFields values={values} errors={errors} busy={edit.isPending} onType={type} />
      <DialogButtons>
        <DeleteTime
          boardId={boardId}
          entry={entry}
          disabled={edit.isPending}
          onDeleted={() => {
            close()
            onDeleted?.()
          }}
        />
        <Button onClick={close} disabled={edit.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={edit.isPending}>
          Save Changes
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Only another day moves the work: its own is that of where it was done, which may be elsewhere. */
function movedTo(day: string, entry: TimeEntry): Changes {
  if (day === entry.day) return {}
  return { startTime: onDay(day, new Date(entry.startTime)).toISOString(), timeZone: ownZone() }
}
