import type { Dialog } from 'radix-ui'
import { ignoreSecondPress } from './secondPress'

type Outside = Parameters<NonNullable<Dialog.DialogContentProps['onInteractOutside']>>[0]

export const isOnToast = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

/** For `onInteractOutside`: answering a toast closes nothing. Radix asks when the toast is out of the page already. */
export function besideToasts(event: Event): void {
  if (isOnToast(event.target)) event.preventDefault()
}

/** As above, for what covers the page. */
export function besideCover(event: Outside): void {
  besideToasts(event)
  const { originalEvent } = event.detail
  if (!event.defaultPrevented && originalEvent instanceof PointerEvent) ignoreSecondPress(originalEvent)
}
