import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { IgnoreSecondPress } from './IgnoreSecondPress'
import { ignoreOnTop } from './pressOutside'
import { useOwnEscape } from './useOwnEscape'

type Props = {
  label: string
  align?: 'start' | 'end'
  className?: string
  onOpenAutoFocus?(event: Event): void
  onCloseAutoFocus?(event: Event): void
  children: ReactNode
}

export const PopoverPanel = ({ label, align = 'start', className = 'z-30 w-80 gap-3 p-4', children, ...focus }: Props) => (
  <Popover.Portal>
    <Popover.Content
      align={align}
      sideOffset={6}
      collisionPadding={12}
      aria-label={label}
      data-popover
      onInteractOutside={ignoreOnTop}
      {...useOwnEscape()}
      {...focus}
      className={`flex max-h-[min(var(--radix-popover-content-available-height),36rem)] max-w-[calc(100vw-1.5rem)] animate-rise flex-col overflow-y-auto rounded-panel bg-raised shadow-panel ring-1 ring-line focus:outline-none ${className}`}
    >
      <IgnoreSecondPress modal={false} />
      {children}
    </Popover.Content>
  </Popover.Portal>
)
