import { useState } from 'react'
import { useViewer } from '../../users/page/viewer'
import { Button } from '../../web/ui/Button'
import { Confirm, type Question } from '../../web/ui/Confirm'
import { useRemoveMember } from './cache'

export const LEAVE_QUESTION: Question = {
  title: 'Leave this board?',
  text: 'You will lose access to this board and be unassigned from its tasks.',
  action: 'Leave board',
  busyAction: 'Leaving...',
}

export function LeaveBoard({ board }: { board: { id: number; name: string } }) {
  const viewer = useViewer()
  const removal = useRemoveMember(board.id)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet" size="small" aria-label={`Leave ${board.name}`} onClick={() => setAsking(true)}>
        Leave
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        {...LEAVE_QUESTION}
        busy={removal.isPending}
        onConfirm={() => void removal.run(viewer.id).finally(() => setAsking(false))}
      />
    </>
  )
}
