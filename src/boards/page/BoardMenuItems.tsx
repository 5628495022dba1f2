import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuLine } from '../../web/ui/Menu'

export type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

export const BoardMenuItems = ({ pinned, moves, children }: { pinned: boolean; moves: BoardMoves; children: ReactNode }) => (
  <Menu trigger={children}>
    <MenuItem onSelect={moves.pin}>{pinned ? 'Unpin' : 'Pin'}</MenuItem>
    <MenuLine />
    <MenuItem disabled={!moves.up} onSelect={moves.up}>
      Move up
    </MenuItem>
    <MenuItem disabled={!moves.down} onSelect={moves.down}>
      Move down
    </MenuItem>
  </Menu>
)
