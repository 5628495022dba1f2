import { ArchiveRestore, Download, Link } from 'lucide-react'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { mayExportBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { useMakeLink } from '../../invitations/page/InviteLink'
import { DeletedTasks } from '../../tasks/page/DeletedTasks'
import { Menu, MenuItem } from '../../web/ui/Menu'
import type { Board } from '../schema'
import { exportBoard } from './exportBoard'

type Props = { board: Board; locked: boolean; MenuButton: ComponentType<ComponentProps<'button'>> }

export function HeaderMenuItems({ board, locked, MenuButton }: Props) {
  const viewer = useViewer()
  const link = useMakeLink(board.id)
  const [listing, setListing] = useState(false)
  return (
    <>
      <Menu trigger={<MenuButton />}>
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
