import { wasPressed, watchPresses } from './lastPress'

/** Marks what a click gave the focus, also by way of a dialog: browsers call any field with the focus visible. */
export function markFocusByPointer(): void {
  watchPresses()
  const mark = () => document.activeElement?.toggleAttribute('data-by-pointer', wasPressed())
  window.addEventListener('pointerdown', mark, true)
  document.addEventListener('focusin', mark)
}
