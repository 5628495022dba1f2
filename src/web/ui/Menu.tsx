import ChevronRight from 'lucide-react/icons/chevron-right'
import * as DropdownMenu from 'radix-ui/dropdown-menu'
import type { ReactNode } from 'react'
import { ignoreOnTop } from './layer'

const PANEL = 'menu animate-appear overflow-y-auto shadow-panel'
const ITEM = 'menu-item'

/** The element in which a menu opens; by default the body. */
type Within = { within?: Element | null }

type PanelProps = DropdownMenu.DropdownMenuContentProps & Within

export const MenuPanel = ({ within, children, ...props }: PanelProps) => (
  <DropdownMenu.Portal container={within}>
    <DropdownMenu.Content sideOffset={4} collisionPadding={8} onInteractOutside={ignoreOnTop} className={PANEL} {...props}>
      {children}
    </DropdownMenu.Content>
  </DropdownMenu.Portal>
)

export const Menu = ({ trigger, children }: { trigger: ReactNode; children: ReactNode }) => (
  <DropdownMenu.Root>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <MenuPanel align="end">{children}</MenuPanel>
  </DropdownMenu.Root>
)

type ItemProps = Omit<DropdownMenu.DropdownMenuItemProps, 'onSelect'> & { onSelect: (() => void) | undefined }

export const MenuItem = ({ onSelect, className = '', ...props }: ItemProps) => (
  <DropdownMenu.Item className={`${ITEM} ${className}`} onSelect={() => onSelect?.()} {...props} />
)

/** Choosing an item keeps the menu open, because users may choose several. */
export const MenuCheckbox = ({ children, ...props }: DropdownMenu.DropdownMenuCheckboxItemProps) => (
  <DropdownMenu.CheckboxItem className={ITEM} onSelect={(event) => event.preventDefault()} {...props}>
    <span className="w-5 shrink-0" aria-hidden>
      {props.checked === 'indeterminate' ? '–' : props.checked && '✓'}
    </span>
    {children}
  </DropdownMenu.CheckboxItem>
)

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />

export const SubMenu = ({ label, within, children }: { label: string; children: ReactNode } & Within) => (
  <DropdownMenu.Sub>
    <DropdownMenu.SubTrigger className={`${ITEM} justify-between gap-4`}>
      {label}
      <ChevronRight className="size-4 text-quiet" aria-hidden />
    </DropdownMenu.SubTrigger>
    <DropdownMenu.Portal container={within}>
      <DropdownMenu.SubContent sideOffset={2} collisionPadding={8} className={PANEL}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
)
