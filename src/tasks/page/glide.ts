const GLIDE = { duration: 160, easing: 'cubic-bezier(0.2, 0, 0, 1)' }
const FADE = { duration: 140, easing: 'ease-out' }

/** Where the rendered cards lie in their lists, and one of them on the screen. */
export type Sight = { tops: Map<HTMLElement, number>; card: DOMRect | null }

const items = (board: HTMLElement) => board.querySelectorAll<HTMLElement>('li.item')
const topOf = (item: HTMLElement) => Number.parseFloat(item.style.top)
const cardOf = (board: HTMLElement, taskId: number) => board.querySelector<HTMLElement>(`[data-task="${taskId}"]`)

export function look(board: HTMLElement, taskId: number): Sight {
  const card = cardOf(board, taskId)
  return {
    tops: new Map([...items(board)].map((item) => [item, topOf(item)])),
    card: card && inSight(card) ? card.getBoundingClientRect() : null,
  }
}

/** Moves cards from where they were seen, and those that made room for them; what is out of sight just appears. */
export function glide(board: HTMLElement, seen: ReadonlyMap<number, Sight>): void {
  const [first] = seen.values()
  if (!first || !mayMove()) return
  const moved = new Set([...seen.keys()].map((taskId) => cardOf(board, taskId)?.parentElement))
  // Measured before anything moves, for the browser would lay everything out a second time.
  const flights = [...seen].flatMap(([taskId, { card: from }]) => {
    const card = cardOf(board, taskId)
    return card && from && inSight(card) ? [{ card, from, to: card.getBoundingClientRect() }] : []
  })
  for (const item of items(board)) {
    const way = (first.tops.get(item) ?? topOf(item)) - topOf(item)
    if (way !== 0 && !moved.has(item)) item.animate([{ transform: `translateY(${way}px)` }, { transform: 'none' }], GLIDE)
  }
  flights.forEach(fly)
}

export function fadeIn(board: HTMLElement, taskId: number): void {
  if (mayMove()) cardOf(board, taskId)?.parentElement?.animate([{ opacity: 0 }, { opacity: 1 }], FADE)
}

const mayMove = () => document.visibilityState === 'visible' && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** A list clips its cards, so a copy crosses the board. */
function fly({ card, from, to }: { card: HTMLElement; from: DOMRect; to: DOMRect }): void {
  const copy = card.cloneNode(true) as HTMLElement
  for (const name of ['data-task', 'role', 'tabindex', 'aria-label']) copy.removeAttribute(name)
  copy.setAttribute('aria-hidden', 'true')
  copy.className += ' pointer-events-none fixed z-30'
  Object.assign(copy.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px` })
  document.body.append(copy)
  // Not its visibility: animating that keeps the main thread busy.
  const hidden = { opacity: 0 }
  card.parentElement?.animate([hidden, hidden], GLIDE)
  const way = `translate(${from.left - to.left}px, ${from.top - to.top}px)`
  copy.animate([{ transform: way }, { transform: 'none' }], GLIDE).onfinish = () => copy.remove()
}

function inSight(card: HTMLElement): boolean {
  const { top, height } = card.getBoundingClientRect()
  const list = card.closest('ul')?.parentElement?.getBoundingClientRect()
  const middle = top + height / 2
  return list !== undefined && middle >= list.top && middle <= list.bottom
}
