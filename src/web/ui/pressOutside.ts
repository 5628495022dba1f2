/** Toasts lie on top of all else. */
export const isOnTop = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

/** For `onInteractOutside`: a press on what lies on top closes nothing. Radix asks when a toast is out of the page already. */
export function ignoreOnTop(event: Event): void {
  if (isOnTop(event.target)) event.preventDefault()
}
