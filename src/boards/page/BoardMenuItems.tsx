import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { MenuItem, MenuLine, MenuPanel } from '../../web/ui/Menu'

export type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

export const BoardMenuItems = ({ pinned, moves, children }: { pinned: boolean; moves: BoardMoves; children: ReactNode }) => (
  <DropdownMenu.Root defaultOpen>
    <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
    <MenuPanel align="end">
      <MenuItem onSelect={moves.pin}>{pinned ? 'Unpin' : 'Pin'}</MenuItem>
      <MenuLine />
      <MenuItem disabled={!moves.up} onSelect={() => moves.up?.()}>
        Move up
      </MenuItem>
      <MenuItem disabled={!moves.down} onSelect={() => moves.down?.()}>
        Move down
      </MenuItem>
    </MenuPanel>
  </DropdownMenu.Root>
)
