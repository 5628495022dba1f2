import * as Radix from 'radix-ui/popover'
import type { ReactElement, ReactNode } from 'react'
import { NextFocus } from './Dialog'
import { ignoreOnTop, useOwnEscape } from './layer'

type Props = { trigger: ReactElement; open?: boolean; onOpenChange?(open: boolean): void; children: ReactNode }

export const Popover = ({ trigger, children, ...root }: Props) => (
  <Radix.Root {...root}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    {children}
  </Radix.Root>
)

type PanelProps = {
  label: string
  align?: 'start' | 'end'
  className?: string
  onOpenAutoFocus?(event: Event): void
  onCloseAutoFocus?(event: Event): void
  /** Before it closes by Escape. */
  onEscape?(): void
  children: ReactNode
}

export const PopoverPanel = ({
  label,
  align = 'start',
  className = 'z-30 w-80 max-sm:w-[calc(100vw-2rem)] gap-3 p-4',
  children,
  onEscape,
  ...focus
}: PanelProps) => {
  const ownEscape = useOwnEscape(onEscape)
  return (
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={6}
        collisionPadding={16}
        aria-label={label}
        data-popover
        onInteractOutside={ignoreOnTop}
        {...ownEscape}
        {...focus}
        className={`dense popover animate-rise overflow-y-auto shadow-panel ${className}`}
      >
        <NextFocus dialog={ownEscape.ref} />
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}
