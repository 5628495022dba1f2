import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { besideToasts } from './besideToasts'

/** Open from the first: it is loaded once its `trigger` was pressed. */
export const Menu = ({ trigger, children }: { trigger: ReactNode; children: ReactNode }) => (
  <DropdownMenu.Root defaultOpen>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        onInteractOutside={besideToasts}
        className="z-50 min-w-40 animate-appear rounded-card bg-raised p-1 shadow-panel focus:outline-none"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

type ItemProps = Omit<DropdownMenu.DropdownMenuItemProps, 'onSelect'> & { onSelect: (() => void) | undefined }

export const MenuItem = ({ onSelect, className = '', ...props }: ItemProps) => (
  <DropdownMenu.Item
    className={`flex min-h-9 cursor-default items-center gap-2 rounded-[4px] px-2.5 outline-none data-[disabled]:opacity-40 data-[highlighted]:bg-hover ${className}`}
    onSelect={() => onSelect?.()}
    {...props}
  />
)

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />
