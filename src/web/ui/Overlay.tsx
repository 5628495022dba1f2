import * as Radix from 'radix-ui/dialog'
import type { ComponentProps } from 'react'
import { ignoreOnTop } from './pressOutside'
import { useBackCloses } from './useBackCloses'
import { useOwnEscape } from './useOwnEscape'

type Props = ComponentProps<typeof Radix.Content> & { open: boolean; onOpenChange(open: boolean): void }

/** Lies over the page with a shape of its own. */
export function Overlay({ open, onOpenChange, className, children, ...content }: Props) {
  const ownEscape = useOwnEscape()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay data-scrim className="fixed inset-0 z-50 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onInteractOutside={ignoreOnTop}
          {...ownEscape}
          className={`fixed z-50 flex flex-col bg-raised shadow-panel focus:outline-none ${className}`}
          {...content}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
