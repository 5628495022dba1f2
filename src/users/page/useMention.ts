import { type KeyboardEvent, useState } from 'react'
import { isName, type UserSummary } from '../schema'

/** An `@…` right before the cursor. */
const BEGUN = /(?<![\p{L}\p{N}_/@])@([\p{L}\p{N}._-]*)$/u
const LONGEST = 40
const OFFERED = 6

type Begun = { from: number; typed: string }

function begunAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Begun | null {
  if (selectionStart !== selectionEnd) return null
  const before = value.slice(Math.max(0, selectionStart - LONGEST), selectionStart)
  const found = BEGUN.exec(before)
  return found ? { from: selectionStart - found[0].length, typed: (found[1] ?? '').toLowerCase() } : null
}

export const fits = ({ username, name }: UserSummary, typed: string) =>
  [username, ...(name ?? '').toLowerCase().split(/\s+/)].some((word) => word.startsWith(typed))

/** Offers members after an @: arrows choose, Enter and Tab take, Escape closes. */
export function useMention(members: UserSummary[], onTake: (textarea: HTMLTextAreaElement) => void) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [index, setIndex] = useState(0)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const open = begun && begun.from !== dismissed
  const fitting = open ? members.filter((member) => !isName(member) && fits(member, begun.typed)).slice(0, OFFERED) : []
  const isWritten = fitting.length === 1 && fitting[0]?.username === begun?.typed
  const offered = isWritten ? [] : fitting
  const chosen = Math.min(index, offered.length - 1)

  /** Call after each change of the text. */
  const look = (textarea: HTMLTextAreaElement) => {
    const next = begunAt(textarea)
    if (next?.from !== begun?.from || next?.typed !== begun?.typed) setIndex(0)
    if (!next) setDismissed(null)
    setBegun(next)
  }
  /** Call after each move of the cursor: going back to an @ offers nothing. */
  const follow = (textarea: HTMLTextAreaElement) => begun && look(textarea)
  const dismiss = () => setDismissed(begun?.from ?? null)
  const take = (textarea: HTMLTextAreaElement, { username }: UserSummary) => {
    if (!begun) return
    textarea.setRangeText(`@${username} `, begun.from, textarea.selectionStart, 'end')
    textarea.focus()
    setBegun(null)
    onTake(textarea)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const member = offered[chosen]
    if (!member || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    const step = { ArrowDown: 1, ArrowUp: offered.length - 1 }[event.key]
    if (step) setIndex((chosen + step) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(event.currentTarget, member)
    else if (event.key === 'Escape') dismiss()
    else return false
    event.preventDefault()
    return true
  }
  return { offered, chosen, look, follow, dismiss, take, onKeyDown }
}
