import * as AlertDialog from 'radix-ui/alert-dialog'
import { Button } from './Button'
import { useBackCloses, useReturnedFocus } from './layer'

type Props = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  /** Stands above the text, and is read first. */
  before?: string
  text: string
  action: string
  look?: 'danger' | 'primary'
  keep?: string
  busyAction?: string
  busy?: boolean
  onConfirm(): void
  onCloseAutoFocus?(event: Event): void
}

export function Confirm({
  open,
  onOpenChange,
  title,
  before,
  text,
  action,
  look = 'danger',
  keep = 'Cancel',
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
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay data-scrim className="confirm-around animate-appear">
          <AlertDialog.Content
            onCloseAutoFocus={giveBack}
            onKeyDown={({ key }) => key === 'Escape' && onOpenChange(false)}
            className="confirm animate-rise overflow-y-auto shadow-panel"
          >
            <AlertDialog.Title className="font-strong text-title">{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="flex flex-col gap-2 text-pretty text-quiet">
                {before && <p className="text-text">{before}</p>}
                <p>{text}</p>
              </div>
            </AlertDialog.Description>
            <div className="flex flex-wrap justify-end gap-2 pt-1">
              <AlertDialog.Cancel asChild>
                <Button disabled={busy}>{keep}</Button>
              </AlertDialog.Cancel>
              <Button look={look} busy={busy} onClick={onConfirm}>
                {busy ? busyAction : action}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
