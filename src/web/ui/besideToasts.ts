/** For `onInteractOutside`: answering a toast closes nothing. Radix asks when the toast is out of the page already. */
export function besideToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault()
}
