import { ArchiveRestore, Download, Ellipsis, Link } from 'lucide-react'
import { useState } from 'react'
import { mayExportBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { useMakeLink } from '../../invitations/page/cache'
import { DeletedTasks } from '../../tasks/page/DeletedTasks'
import { Button } from '../../web/ui/Button'
import { Menu, MenuItem } from '../../web/ui/Menu'
import type { Board } from '../schema'
import { exportBoard } from './exportBoard'

export function HeaderMenu({ board, locked }: { board: Board; locked: boolean }) {
  const viewer = useViewer()
  const link = useMakeLink(board.id)
  const [listing, setListing] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label="Board menu" title="Board menu">
            <Ellipsis className="size-4" aria-hidden />
          </Button>
        }
      >
        {!locked && board.inviteLinks && (
          <MenuItem onSelect={() => link.mutate()}>
            <Link className="size-4" aria-hidden />
            Copy invite link
          </MenuItem>
        )}
        {mayExportBoard(viewer, board) && (
          <MenuItem onSelect={() => exportBoard(board.id)}>
            <Download className="size-4" aria-hidden />
            Export Board
          </MenuItem>
        )}
        <MenuItem onSelect={() => setListing(true)}>
          <ArchiveRestore className="size-4" aria-hidden />
          Deleted tasks
        </MenuItem>
      </Menu>
      <DeletedTasks board={board} locked={locked} open={listing} onOpenChange={setListing} />
    </>
  )
}
