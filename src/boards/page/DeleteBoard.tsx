import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { Board } from '../schema'
import { forgetBoard, useDeleteBoard } from './cache'

const DELETE_TEXT =
  'This action cannot be undone. This will permanently delete the board and all of its tasks and comments. All members will lose access to this board.'

/** Only the notice afterwards says that the board can be restored, as the specification has it. */
export function DeleteBoard({ board }: { board: Board }) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteBoard(board.id)
  const navigate = useNavigate()
  const confirm = async () => {
    const isDeleted = await deletion.mutateAsync().catch(() => false)
    setAsking(false)
    if (!isDeleted) return
    await navigate({ to: '/' })
    forgetBoard(board.id)
  }
  return (
    <>
      <Button look="quiet" size="icon" aria-label="Delete Board" title="Delete Board" onClick={() => setAsking(true)}>
        <Trash2 className="size-4" aria-hidden />
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${board.name}”?`}
        text={DELETE_TEXT}
        action="Delete Board"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={confirm}
      />
    </>
  )
}
