import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Props = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  description?: string
  /** Something typed would be lost: a click beside the dialog does not close it then. */
  keep?: boolean
  wide?: boolean
  /** Shown in the title's place, where the content shows the title itself. */
  above?: string
  children: ReactNode
}

/** A dialog: keeps focus, closes on Escape, gives focus back. */
export function Dialog({ open, onOpenChange, title, description, keep, wide, above, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 grid animate-appear place-items-end overflow-y-auto bg-scrim sm:place-items-center sm:p-6">
          <Radix.Content
            className={`relative flex w-full animate-rise flex-col gap-4 rounded-t-panel bg-paper p-5 shadow-panel focus:outline-none max-sm:max-h-[94dvh] max-sm:overflow-y-auto sm:rounded-panel sm:p-6 ${wide ? 'max-w-4xl' : 'max-w-md'}`}
            onInteractOutside={(event) => keep && event.preventDefault()}
            onOpenAutoFocus={above === undefined ? undefined : focusItself}
            {...(!description && { 'aria-describedby': undefined })}
          >
            {above !== undefined && <p className="truncate pr-8 text-quiet">{above}</p>}
            <div className={above === undefined ? 'flex flex-col gap-1 pr-8' : 'sr-only'}>
              <Radix.Title className="font-strong text-title">{title}</Radix.Title>
              {description && <Radix.Description className="text-quiet">{description}</Radix.Description>}
            </div>
            {children}
            <Radix.Close
              className="absolute top-4 right-4 grid size-8 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
              aria-label="Close"
            >
              <X className="size-4" aria-hidden />
            </Radix.Close>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** What is mostly read is not opened with the cursor in its first field. */
function focusItself(event: Event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-end gap-2 pt-1">{children}</div>
)
