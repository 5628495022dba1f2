import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../web/ui/Button'
import { Confirm } from '../../../web/ui/Confirm'
import { useDeleteTime } from '../../timers/page/cache'
import type { TimeEntry } from '../schema'

type Props = { boardId: number; entry: TimeEntry; onDeleted(): void }

export function DeleteTime({ disabled, ...rest }: Props & { disabled: boolean }) {
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

type Asked = Omit<Props, 'entry'> & { entry: TimeEntry | undefined; open: boolean; onOpenChange(open: boolean): void }

/** The entry leaves the lists at once, and comes back where the deletion is refused. */
export function ConfirmDelete({ boardId, entry, open, onOpenChange, onDeleted }: Asked) {
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
        onDeleted()
      }}
    />
  )
}
