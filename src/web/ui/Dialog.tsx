import X from 'lucide-react/icons/x'
import * as Radix from 'radix-ui/dialog'
import { type ComponentProps, type MouseEvent, type ReactNode, type RefObject, useEffect } from 'react'
import { isTyping } from '../keyboard'
import { isByFinger, wasPressed } from '../pointer'
import { ICON_BUTTON } from './Button'
import { goTo, ignoreOnTop, useBackCloses, useOwnEscape, useReturnedFocus } from './layer'

type Props = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  description?: string
  /** Clicks outside do not close the dialog while typed text would be lost. */
  keep?: boolean
  /** A form by default; `wide` with full height; with `panels` or a `list` that scroll on their own; or at the `side`. */
  shape?: 'form' | 'wide' | 'panels' | 'list' | 'side'
  above?: string
  /** Opened and closed by its address. */
  addressed?: boolean
  beside?: ReactNode
  /** Called on close; returns whether something else gets the focus. */
  passesFocus?(): boolean
  children: ReactNode
}

export function Dialog(props: Props) {
  const {
    open,
    onOpenChange,
    title,
    description,
    keep,
    shape = 'form',
    above,
    addressed = false,
    beside,
    passesFocus,
    children,
  } = props
  const returnFocus = useReturnedFocus(open)
  const ownEscape = useOwnEscape()
  useBackCloses(open, () => onOpenChange(false), addressed)
  const giveBack = (event: Event) => {
    if (passesFocus?.()) event.preventDefault()
    else returnFocus(event)
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay data-scrim data-shape={shape} onMouseDown={keepFocus} className="dialog-around animate-appear">
          <Radix.Content
            ref={ownEscape.ref}
            className="dialog animate-rise shadow-panel"
            onInteractOutside={(event) => (keep ? event.preventDefault() : ignoreOnTop(event))}
            onEscapeKeyDown={(event) => (hasOwnEscape(event.target) ? event.preventDefault() : ownEscape.onEscapeKeyDown(event))}
            onOpenAutoFocus={above === undefined ? focusFirst : focusItself}
            onCloseAutoFocus={giveBack}
            {...(!description && { 'aria-describedby': undefined })}
          >
            <NextFocus dialog={ownEscape.ref} />
            <header className="dialog-head">
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
            {shape === 'panels' || shape === 'list' ? children : <div className="dialog-body overflow-y-auto">{children}</div>}
            <Radix.Close className={`dialog-close ${ICON_BUTTON}`} aria-label="Close">
              <X className="size-4" aria-hidden />
            </Radix.Close>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** After a click outside, typing still goes to its field; a touch there hides the keyboard. */
function keepFocus(event: MouseEvent) {
  if (event.target === event.currentTarget && !isByFinger()) event.preventDefault()
}

/** Escape first ends an inline edit in the dialog. */
const hasOwnEscape = (target: EventTarget | null) => target instanceof Element && target.closest('[data-own-escape]') !== null

/** `autoFocus` is too early for a dialog above another one, which still holds the focus. */
function focusFirst(event: Event) {
  const field = event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector<HTMLElement>('[data-autofocus]')
  if (!field) return
  event.preventDefault()
  field.focus()
}

/** Focuses the dialog itself if it is mostly for reading. */
function focusItself(event: Event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

/** For a part of a dialog that scrolls on its own: its content fades out at the lower edge. */
export const SCROLLING = 'fading overflow-y-auto'

export const DialogFooter = ({ children }: { children: ReactNode }) => <footer className="dialog-footer">{children}</footer>

export const DialogButtons = ({ children }: { children: ReactNode }) => <div className="dialog-buttons">{children}</div>

const FOCUSABLE = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([disabled], [tabindex="-1"])'

type Place = { around: Element; before: Element | null }

/** If the focused element is removed, keyboard users continue at its place, not at the dialog's start. */
export function NextFocus({ dialog }: { dialog: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    let focused: Element | null = null
    let places: Place[] = []
    const note = (target: EventTarget | null) => {
      if (!(target instanceof Element) || target === current || !current.contains(target)) return
      focused = target
      places = placesUp(target, current)
    }
    const observer = new MutationObserver(() => {
      const { activeElement } = document
      if (!focused || focused.isConnected || (activeElement !== document.body && activeElement !== current)) return
      // Further typing would press a button.
      if (!wasPressed() && !isTyping(focused)) goTo(focusableIn(places))
      focused = null
    })
    const onFocus = ({ target }: FocusEvent) => note(target)
    note(document.activeElement)
    current.addEventListener('focusin', onFocus)
    observer.observe(current, { childList: true, subtree: true })
    return () => {
      current.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [dialog])
  return null
}

function placesUp(from: Element, end: Element): Place[] {
  const places: Place[] = []
  for (let at = from; at !== end && at.parentElement; at = at.parentElement)
    places.push({ around: at.parentElement, before: at.previousElementSibling })
  return places
}

/** The next neighbour, else the previous one, else any around it. */
function focusableIn(places: Place[]): HTMLElement | undefined {
  for (const { around, before } of places) {
    if (!around.isConnected) continue
    const next = before ? before.nextElementSibling : around.firstElementChild
    for (const place of [next, before, around]) {
      const all = place ? [place, ...place.querySelectorAll(FOCUSABLE)] : []
      const found = all.find((element) => element.matches(FOCUSABLE) && element.checkVisibility())
      if (found instanceof HTMLElement) return found
    }
  }
  return undefined
}

type OverlayProps = ComponentProps<typeof Radix.Content> & { open: boolean; onOpenChange(open: boolean): void }

/** An overlay with its own shape. */
export function Overlay({ open, onOpenChange, className, children, ...content }: OverlayProps) {
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
