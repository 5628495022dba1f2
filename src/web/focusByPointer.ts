/** Marks what a click gave the focus, also by way of a dialog: browsers call any field with the focus visible. */
export function markFocusByPointer(): void {
  let byPointer = false
  const mark = () => document.activeElement?.toggleAttribute('data-by-pointer', byPointer)
  const by = (pointer: boolean) => {
    byPointer = pointer
    if (pointer) mark()
  }
  window.addEventListener('pointerdown', () => by(true), true)
  window.addEventListener('keydown', () => by(false), true)
  document.addEventListener('focusin', mark)
}
