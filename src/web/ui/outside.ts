import type { Dialog } from 'radix-ui'
import { ignoreSecondPress } from './secondPress'

type Outside = Parameters<NonNullable<Dialog.DialogContentProps['onInteractOutside']>>[0]

/** Toasts, and what says that something opens, lie above all else. */
export const isAbove = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast], [data-opening]') !== null

/** For `onInteractOutside`: a press on what lies above closes nothing. Radix asks when a toast is out of the page already. */
export function besidePopover(event: Event): void {
  if (isAbove(event.target)) event.preventDefault()
}

/** As above, for what covers the page. */
export function besideCover(event: Outside): void {
  besidePopover(event)
  const { originalEvent } = event.detail
  if (!event.defaultPrevented && originalEvent instanceof PointerEvent) ignoreSecondPress(originalEvent)
}
