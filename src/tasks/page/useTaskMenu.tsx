import { createContext, type KeyboardEvent, type MouseEvent, useCallback, useState } from 'react'
import type { Board } from '../../boards/schema'
import type { Task } from '../schema'
import { TaskMenu } from './TaskMenu'

type Opened = { taskId: number; x: number; y: number; from: HTMLElement }
type Open = (taskId: number, from: HTMLElement, x: number, y: number) => void

export const TaskMenuContext = createContext<Open>(() => {})

const cardAt = (target: EventTarget) => (target instanceof Element ? target.closest<HTMLElement>('[data-task]') : null)

/** One menu for all cards: it opens at the pointer, below a card for the keyboard, and below a card's own button. */
export function useTaskMenu(board: Board, tasks: Task[], locked: boolean) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open: Open = useCallback((taskId, from, x, y) => setOpened({ taskId, from, x, y }), [])
  const task = opened && tasks.find(({ id }) => id === opened.taskId)

  function onContextMenu(event: MouseEvent) {
    const card = locked ? null : cardAt(event.target)
    // A finger that rests on a card drags it.
    if (!card || ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch')) return
    event.preventDefault()
    open(Number(card.dataset.task), card, event.clientX, event.clientY)
  }
  function onKeyDown(event: KeyboardEvent) {
    const card = locked ? null : cardAt(event.target)
    if (!card || !(event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return false
    event.preventDefault()
    const { left, bottom } = card.getBoundingClientRect()
    open(Number(card.dataset.task), card, left, bottom)
    return true
  }
  const close = (hasMoved: boolean) => {
    setOpened(null)
    // A card that was moved gets the focus where it is then.
    if (!hasMoved && opened?.from.isConnected) opened.from.focus({ preventScroll: true })
  }
  const menu = opened && task && (
    <TaskMenu key={`${opened.taskId} ${opened.x} ${opened.y}`} board={board} task={task} onClose={close}>
      <span className="fixed size-0" style={{ left: opened.x, top: opened.y }} aria-hidden tabIndex={-1} />
    </TaskMenu>
  )
  return { open, menu, onContextMenu, onKeyDown }
}
