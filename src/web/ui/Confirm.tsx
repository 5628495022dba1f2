import * as Radix from 'radix-ui/dialog'
import { Button } from './Button'
import { useBackCloses, useReturnedFocus } from './layer'

export type Question = {
  title: string
  /** Shown above the text and read first. */
  before?: string
  text: string
  action: string
  look?: 'danger' | 'primary'
  cancel?: string
  busyAction?: string
}

type Props = Question & {
  open: boolean
  onOpenChange(open: boolean): void
  busy?: boolean
  onConfirm(): void
  onCloseAutoFocus?(event: Event): void
}

/** Its buttons, Escape and Back close it, but not a click outside. The first button, which changes nothing, has the focus. */
export function Confirm({
  open,
  onOpenChange,
  title,
  before,
  text,
  action,
  look = 'danger',
  cancel = 'Cancel',
  busyAction = action,
  busy = false,
  onConfirm,
  onCloseAutoFocus,
}: Props) {
  const returnFocus = useReturnedFocus(open)
  useBackCloses(open, () => onOpenChange(false))
  const giveBack = (event: Event) => {
    onCloseAutoFocus?.(event)
    if (!event.defaultPrevented) returnFocus(event)
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay data-scrim className="confirm-around animate-appear">
          <Radix.Content
            role="alertdialog"
            onInteractOutside={(event) => event.preventDefault()}
            onCloseAutoFocus={giveBack}
            onKeyDown={({ key }) => key === 'Escape' && onOpenChange(false)}
            className="confirm animate-rise overflow-y-auto shadow-panel"
          >
            <Radix.Title className="font-strong text-title">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="flex flex-col gap-2 text-pretty text-quiet">
                {before && <p className="text-text">{before}</p>}
                <p>{text}</p>
              </div>
            </Radix.Description>
            <div className="flex flex-wrap justify-end gap-2 pt-1">
              <Radix.Close asChild>
                <Button disabled={busy}>{cancel}</Button>
              </Radix.Close>
              <Button look={look} busy={busy} onClick={onConfirm}>
                {busy ? busyAction : action}
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
