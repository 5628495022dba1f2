export const isOnToast = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

/** For `onInteractOutside`: answering a toast closes nothing. Radix asks when the toast is out of the page already. */
export function besideToasts(event: Event): void {
  if (isOnToast(event.target)) event.preventDefault()
}
