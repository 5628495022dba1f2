/** For a heading: what had the focus may be gone with what was shown before. */
export function focusIfLost(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true })
}
