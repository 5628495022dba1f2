/**
 * For `onInteractOutside`: answering a toast closes nothing that is open below it. Radix asks after the click, when the
 * toast is out of the page already: it is known by itself, not by what it was in.
 */
export function besideToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault()
}
