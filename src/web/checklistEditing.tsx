import ListChecks from 'lucide-react/icons/list-checks'
import type { KeyboardEvent } from 'react'
import { Button } from './ui/Button'

const ITEM = /^(\s*)(?:([-*+])|(\d{1,6})([.)]))[ \t]+(\[[ xX]\](?:[ \t]+|$))?(.*)$/
const TEXT = /^(\s*)(?:(?:[-*+]|\d{1,6}[.)])[ \t]+)?(.*)$/

/** Enter at the end of a list item starts the next one; on an empty item it ends the list. */
export function continueList(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false
  const area = event.currentTarget
  const { start, end, line } = linesAt(area)
  if (area.selectionStart !== area.selectionEnd || area.selectionEnd !== end) return false
  const [, indent = '', bullet, number, point = '', box, words = ''] = ITEM.exec(line) ?? []
  if (!bullet && !number) return false
  event.preventDefault()
  // After an empty line: Markdown takes the next one to the item.
  if (words.trim() === '') type(area, start > 0 ? '\n' : '', start, end)
  else type(area, `\n${indent}${bullet ?? `${Number(number) + 1}${point}`} ${box ? '[ ] ' : ''}`, end, end)
  return true
}

/** Turns the selected lines into checkboxes; next to an existing one, or without a cursor, adds a new one. */
export function addCheckbox(area: HTMLTextAreaElement | null, isNew: boolean): void {
  if (!area || area.readOnly) return
  area.focus()
  const { start, end, line } = linesAt(area)
  const toEnd = end - area.selectionEnd
  const isBox = ITEM.exec(line)?.[5] !== undefined
  if (line.trim() && (isNew || isBox)) {
    type(area, `\n${/^\s*/.exec(line)?.[0] ?? ''}- [ ] `, end, end)
    return
  }
  const lines = line.split('\n')
  const isKept = (text: string) => ITEM.exec(text)?.[5] !== undefined || (lines.length > 1 && text.trim() === '')
  const boxes = lines.map((text) => (isKept(text) ? text : text.replace(TEXT, '$1- [ ] $2')))
  type(area, boxes.join('\n'), start, end)
  const caret = area.selectionEnd - toEnd
  area.setSelectionRange(caret, caret)
}

/** The selection, extended to whole lines. */
function linesAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
  const start = value.lastIndexOf('\n', selectionStart - 1) + 1
  const next = value.indexOf('\n', selectionEnd)
  const end = next < 0 ? value.length : next
  return { start, end, line: value.slice(start, end) }
}

/** As if typed, so that the browser's own undo works; only the old command can do that. */
function type(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.setSelectionRange(from, to)
  if (document.execCommand(text ? 'insertText' : 'delete', false, text)) return
  area.setRangeText(text, from, to, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Keeps the caret in the text. */
export const ChecklistButton = ({ onClick }: { onClick(): void }) => (
  <Button
    look="quiet"
    size="small"
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
    className="-mr-3 w-max max-w-none"
  >
    <ListChecks className="size-3.5 shrink-0" aria-hidden />
    Checklist
  </Button>
)
