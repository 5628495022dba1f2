import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { besideToasts } from './besideToasts'
import { useOwnEscape } from './useOwnEscape'
import { useReturnedFocus } from './useReturnedFocus'

type Props = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  description?: string
  /** Clicks beside the dialog do not close it while something typed would be lost. */
  keep?: boolean
  /** As a form by default; `wide` and of full height; with `panels` that scroll by themselves; or at the `side`. */
  shape?: keyof typeof SHAPES
  above?: string
  beside?: ReactNode
  footer?: ReactNode
  /** Asked on close: whether something else gets the focus. */
  passesFocus?(): boolean
  children: ReactNode
}

export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, keep, shape = 'form', above, beside, footer, passesFocus, children } = props
  const returned = useReturnedFocus()
  const ownEscape = useOwnEscape()
  const enter = (event: Event) => {
    returned.enter()
    if (above !== undefined) focusItself(event)
  }
  const giveBack = (event: Event) => {
    if (passesFocus?.()) event.preventDefault()
    else returned.giveBack(event)
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* A wide dialog grows only downwards, so that new content does not move what is being written. */}
        <Radix.Overlay
          data-scrim
          className={`fixed inset-0 z-40 grid animate-appear grid-cols-[minmax(0,1fr)] place-items-end bg-scrim ${SHAPES[shape].around}`}
        >
          <Radix.Content
            ref={ownEscape.ref}
            className={`leaves-room relative flex max-h-[min(94dvh,100dvh-var(--room))] w-full animate-rise flex-col rounded-t-panel bg-raised shadow-panel focus:outline-none ${SHAPES[shape].itself}`}
            onInteractOutside={(event) => (keep ? event.preventDefault() : besideToasts(event))}
            onEscapeKeyDown={(event) => (hasOwnEscape(event.target) ? event.preventDefault() : ownEscape.onEscapeKeyDown(event))}
            onOpenAutoFocus={enter}
            onCloseAutoFocus={giveBack}
            {...(!description && { 'aria-describedby': undefined })}
          >
            <header className="shrink-0 pt-5 pr-14 pb-3 pl-5 sm:pl-6">
              {above !== undefined && (
                <div className="flex items-center gap-3">
                  <p dir="auto" className="min-w-0 flex-1 truncate text-quiet">
                    {above}
                  </p>
                  {beside}
                </div>
              )}
              <div className={above === undefined ? 'flex flex-col gap-1' : 'sr-only'}>
                <Radix.Title className="font-strong text-title">{title}</Radix.Title>
                {description && <Radix.Description className="text-quiet">{description}</Radix.Description>}
              </div>
            </header>
            {shape === 'panels' ? (
              children
            ) : (
              <div className="flex min-h-0 flex-col gap-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 sm:px-6 sm:pb-6">
                {children}
              </div>
            )}
            {footer && (
              <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3 sm:px-6">
                {footer}
              </footer>
            )}
            <Radix.Close
              className="absolute top-3.5 right-4 grid size-8 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
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

const CENTRED = 'sm:justify-items-center sm:p-6'
const BELOW_TOP = 'sm:max-h-[min(100dvh-3rem,100dvh-1.5rem-var(--room))] sm:rounded-panel'
const SHAPES = {
  form: {
    around: `${CENTRED} sm:items-center`,
    itself: 'sm:max-h-[min(100dvh-3rem,100dvh-2*var(--room))] sm:max-w-md sm:rounded-panel',
  },
  wide: { around: `${CENTRED} sm:items-start`, itself: `${BELOW_TOP} h-[94dvh] max-w-4xl sm:h-dvh` },
  panels: { around: `${CENTRED} sm:items-start`, itself: `${BELOW_TOP} max-w-4xl lg:h-200 lg:max-w-6xl` },
  side: {
    around: 'sm:items-start sm:justify-items-end',
    itself: 'sm:h-dvh sm:max-h-[calc(100dvh-var(--room))] sm:max-w-md sm:rounded-none',
  },
}

/** Escape first ends an edit in place within the dialog. */
const hasOwnEscape = (target: EventTarget | null) => target instanceof Element && target.closest('[data-own-escape]') !== null

/** Focuses the dialog itself where it is mostly read. */
function focusItself(event: Event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-end gap-2 pt-1">{children}</div>
)
