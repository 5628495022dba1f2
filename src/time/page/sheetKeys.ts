import type { KeyboardEvent } from 'react'

const CELL = '[data-cell]'

function enter(cell: HTMLElement | null) {
  cell?.focus()
  if (cell instanceof HTMLInputElement) cell.select()
}

/** Focuses the row's first cell, once it is drawn. */
export const focusRow = (taskId: number) =>
  requestAnimationFrame(() => enter(document.querySelector<HTMLElement>(`[data-row="${taskId}"] ${CELL}`)))

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Enter: [1, 0],
}

/** An arrow leaves a cell at the edge of its text, or if all of it is selected. */
function leaves({ selectionStart, selectionEnd, value }: HTMLInputElement, step: number): boolean {
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (step < 0 ? 0 : value.length)
}

/** Moves between cells as in a spreadsheet, skipping those that take no input. */
export function walkSheet(event: KeyboardEvent): void {
  const { target, key, currentTarget } = event
  const step = STEPS[key]
  if (!step || !(target instanceof HTMLElement) || !target.matches(CELL)) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const isText = target instanceof HTMLInputElement
  if (isText ? step[1] !== 0 && !leaves(target, step[1]) : key === 'Enter') return
  const [row = 0, column = 0] = (target.dataset.cell ?? '').split(' ').map(Number)
  const cells = new Map([...currentTarget.querySelectorAll<HTMLElement>(CELL)].map((cell) => [cell.dataset.cell, cell]))
  const furthest = cells.size
  event.preventDefault()
  for (let nth = 1; nth <= furthest; nth += 1) {
    const cell = cells.get(`${row + nth * step[0]} ${column + nth * step[1]}`)
    if (cell) {
      enter(cell)
      return
    }
  }
  if (isText && key === 'Enter') target.blur()
}
