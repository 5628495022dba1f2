import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../web/ui/Button'
import { Confirm } from '../web/ui/Confirm'
import { useDeleteTime } from './cache'
import type { TimeEntry } from './inputs'

export const DELETE_TEXT = 'This will permanently delete this time entry. This action cannot be undone.'

type Props = { boardId: number; entry: TimeEntry; disabled: boolean; onDeleted(): void }

/** Deletes a time entry, when asked twice. It is gone from the lists at once, and there again where that is refused. */
export function DeleteTime({ boardId, entry, disabled, onDeleted }: Props) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteTime(boardId)
  return (
    <>
      <Button look="quiet-danger" className="mr-auto -ml-2" disabled={disabled} onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Are you sure?"
        text={DELETE_TEXT}
        action="Delete"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={() => {
          void deletion.run(entry)
          setAsking(false)
          onDeleted()
        }}
      />
    </>
  )
}
