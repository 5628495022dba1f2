import { useQuery } from '@tanstack/react-query'
import { Download, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { calendarDay, shortDuration } from '../../activity/page/display'
import { dayAt } from '../../basics'
import { UpgradeDialog } from '../../billing/page/UpgradeDialog'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { DeletedBoard } from '../schema'
import { deletedBoardsQuery, downloadHours, useDeleteForGood, useRestoreBoard } from './deletedBoardsCache'

export function DeletedBoards() {
  const { data: boards = [] } = useQuery(deletedBoardsQuery())
  const [offersPro, setOffersPro] = useState(false)
  return (
    <>
      {boards.length > 0 && (
        <section aria-labelledby="deleted-boards" className="flex flex-col gap-1 border-line border-t pt-6">
          <h2 id="deleted-boards" className="text-quiet">
            Deleted boards
          </h2>
          <ul className="flex flex-col">
            {boards.map((board) => (
              <Row key={board.id} board={board} onLimit={() => setOffersPro(true)} />
            ))}
          </ul>
        </section>
      )}
      {offersPro && <UpgradeDialog open onOpenChange={setOffersPro} />}
    </>
  )
}

function Row({ board, onLimit }: { board: DeletedBoard; onLimit(): void }) {
  const { id, name, until, mayRestore, minutes } = board
  const restore = useRestoreBoard(onLimit)
  const deletion = useDeleteForGood()
  const [asking, setAsking] = useState(false)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="truncate">
          {name}
        </p>
        <p className="tabular text-quiet text-small">
          Kept until {calendarDay(dayAt(new Date(until)))}
          {minutes > 0 && ` · ${shortDuration(minutes)} logged by you`}
        </p>
      </div>
      <div className={`flex flex-wrap gap-2 ${minutes > 0 ? 'max-sm:-ml-2' : ''}`}>
        {minutes > 0 && (
          <Button look="quiet" size="small" onClick={() => downloadHours(id)} aria-label={`Download my hours on ${name}`}>
            <Download className="size-3.5" aria-hidden />
            Download my hours
          </Button>
        )}
        {mayRestore && (
          <Button look="quiet" size="small" onClick={() => setAsking(true)} aria-label={`Delete ${name} for good`}>
            <Trash2 className="size-3.5" aria-hidden />
            Delete for good
          </Button>
        )}
        {mayRestore && (
          <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(id)} aria-label={`Restore ${name}`}>
            <Undo2 className="size-3.5" aria-hidden />
            Restore
          </Button>
        )}
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${name}” for good?`}
        text="Its tasks, files and logged time cannot be brought back."
        action="Delete for good"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate(id, { onSettled: () => setAsking(false) })}
      />
    </li>
  )
}
