import { useMutation, useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { dayAt } from '../../days'
import { calendarDay, durationText } from '../../format'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { useKeptPlace } from '../../web/ui/focus'
import type { DeletedBoard } from '../schema'
import { deletedBoardsQuery, downloadHours, readAllBoardsAgain, useRestoreBoard } from './cache'

type Props = { onLimit(): void }

/** `onLimit` is called if the plan allows no more boards. */
export function DeletedBoards({ onLimit }: Props) {
  const { data: boards = [] } = useQuery(deletedBoardsQuery())
  const { list, watched } = useKeptPlace(boards)
  if (boards.length === 0) return null
  return (
    <section aria-labelledby="deleted-boards" className="flex flex-col gap-1 border-line border-t pt-6">
      <h2 id="deleted-boards" className="text-quiet">
        Deleted boards
      </h2>
      <ul ref={list} {...watched} tabIndex={-1} className="flex flex-col outline-none">
        {boards.map((board) => (
          <Row key={board.id} board={board} onLimit={onLimit} />
        ))}
      </ul>
    </section>
  )
}

function Row({ board, onLimit }: Props & { board: DeletedBoard }) {
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
          {minutes > 0 && ` · ${durationText(minutes)} logged by you`}
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
          <Button look="quiet" size="small" onClick={() => setAsking(true)} aria-label={`Delete ${name} permanently`}>
            <Trash2 className="size-3.5" aria-hidden />
            Delete permanently
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
        title={`Delete “${name}” permanently?`}
        text="Its tasks, files and logged time cannot be restored."
        action="Delete permanently"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate(id, { onSettled: () => setAsking(false) })}
      />
    </li>
  )
}

const useDeleteForGood = () =>
  useMutation({
    mutationFn: (boardId: number) => client.boards.deleteForGood.mutate({ boardId }),
    onSettled: readAllBoardsAgain,
    meta: {
      success: { title: 'Board Deleted', description: 'The board and everything on it were permanently deleted.' },
      failure: (error) => ({
        title: 'Delete Failed',
        description: refusalOf(error)?.message ?? 'Could not delete the board. Please try again.',
      }),
    },
  })
