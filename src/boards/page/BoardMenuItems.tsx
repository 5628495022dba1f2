import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { besideToasts } from '../../web/ui/besideToasts'

export type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

export const BoardMenuItems = ({ pinned, moves, children }: { pinned: boolean; moves: BoardMoves; children: ReactNode }) => (
  <DropdownMenu.Root defaultOpen>
    <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        onInteractOutside={besideToasts}
        className="z-50 min-w-40 animate-appear rounded-card bg-raised p-1 shadow-panel focus:outline-none"
      >
        <Item onSelect={moves.pin}>{pinned ? 'Unpin' : 'Pin'}</Item>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <Item disabled={!moves.up} onSelect={moves.up}>
          Move up
        </Item>
        <Item disabled={!moves.down} onSelect={moves.down}>
          Move down
        </Item>
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

const Item = ({
  onSelect,
  ...props
}: Omit<DropdownMenu.DropdownMenuItemProps, 'onSelect'> & { onSelect: (() => void) | undefined }) => (
  <DropdownMenu.Item
    className="flex min-h-9 cursor-default items-center rounded-[4px] px-2.5 outline-none data-[disabled]:opacity-40 data-[highlighted]:bg-hover"
    onSelect={() => onSelect?.()}
    {...props}
  />
)
