import type { ReactNode } from 'react'
import { mayExportBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { Menu, MenuItem, MenuLine } from '../../web/ui/Menu'
import type { BoardListItem } from '../schema'
import { exportBoard } from './exportBoard'

export type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

type Props = { board: BoardListItem; moves: BoardMoves; children: ReactNode }

export function BoardMenuItems({ board, moves, children }: Props) {
  const viewer = useViewer()
  return (
    <Menu trigger={children}>
      <MenuItem onSelect={moves.pin}>{board.pinned ? 'Unpin' : 'Pin'}</MenuItem>
      <MenuLine />
      <MenuItem disabled={!moves.up} onSelect={moves.up}>
        Move up
      </MenuItem>
      <MenuItem disabled={!moves.down} onSelect={moves.down}>
        Move down
      </MenuItem>
      {mayExportBoard(viewer, board) && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => exportBoard(board.id)}>Export Board</MenuItem>
        </>
      )}
    </Menu>
  )
}
