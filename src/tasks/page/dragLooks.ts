export const cardData = (taskId: number) => ({ kind: 'card', taskId })
export const isCard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'card'

type SetImage = ((image: Element, x: number, y: number) => void) | null

/** For the moment in which the browser takes its image. By attributes, as all that shows of a drag: nothing is rendered, or copied, for it. */
export function lift(card: HTMLElement, at: { clientX: number; clientY: number }, setImage: SetImage): void {
  const { left, top } = card.getBoundingClientRect()
  const item = itemOf(card)
  item.dataset.drag = 'image'
  setImage?.(item, at.clientX - left, at.clientY - top)
}

const itemOf = (card: HTMLElement) => card.parentElement ?? card

export function fade(card: HTMLElement): void {
  itemOf(card).dataset.drag = 'on'
}

const lineOf = (column: Element) => column.querySelector<HTMLElement>('[data-drop-line]')

/** Where the card would land in a column. */
export function drawLine(column: Element, top: number): void {
  const line = lineOf(column)
  if (!line) return
  line.style.translate = `0 ${top}px`
  line.hidden = false
  column.setAttribute('data-over', '')
}

export function eraseLines(): void {
  for (const column of document.querySelectorAll('[data-over]')) {
    column.removeAttribute('data-over')
    lineOf(column)?.setAttribute('hidden', '')
  }
}

export function endDrag(): void {
  eraseLines()
  for (const item of document.querySelectorAll('[data-drag]')) item.removeAttribute('data-drag')
}
