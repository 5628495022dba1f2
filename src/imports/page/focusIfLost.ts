import { BOARD_ID } from '../../tasks/page/useKeyboardMove'

/** For a heading: what had the focus may be gone with what was shown before. */
export function focusIfLost(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true })
}

/** For a question that goes once it is answered: to the popover around it, or the board. */
export async function focusAfter(place: HTMLElement | null, answering: Promise<unknown>): Promise<void> {
  const around = place?.closest<HTMLElement>('[data-popover]') ?? document.getElementById(BOARD_ID)
  const isAnswered = await answering
  const { activeElement: focused } = document
  const isLost = focused === document.body || place?.contains(focused)
  if (isAnswered && isLost) around?.focus({ preventScroll: true })
}
