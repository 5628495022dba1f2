import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'

export type FocusedToastProps = { title: string; onLeave(): void; onDismiss(): void; returnFocus(): void; children: ReactNode }

/** A toast that has the focus. It is a dialog, so that one below takes neither the focus nor Escape. */
export const FocusedToast = ({ title, onLeave, onDismiss, returnFocus, children }: FocusedToastProps) => (
  <Radix.Root open modal={false} onOpenChange={onLeave}>
    <Radix.Content
      aria-describedby={undefined}
      onEscapeKeyDown={(event) => {
        event.preventDefault()
        onDismiss()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        returnFocus()
      }}
      className="flex min-w-0 flex-1"
    >
      <Radix.Title className="sr-only">{title}</Radix.Title>
      {children}
    </Radix.Content>
  </Radix.Root>
)
