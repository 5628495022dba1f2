import * as DropdownMenu from 'radix-ui/dropdown-menu'
import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { copyText } from '../../web/toast'
import { Confirm } from '../../web/ui/Confirm'
import { MenuItem, MenuLine, MenuPanel, SubMenu } from '../../web/ui/Menu'
import type { Task } from '../schema'
import { deleteTask } from './cache'
import { cardAt } from './cardDrag'
import { deletionText } from './display'
import { type Dating, DeleteItem, Due, Moves, OtherDay, People, TimerItem } from './TaskMenuItems'
import { taskHash } from './taskUrl'
import { BOARD_ID, MovesContext, useLeaveWhenDeleted } from './useKeyboardMove'

/** A part of the menu that a key opens directly. */
type MenuPart = 'Assign' | 'Due date' | 'Move'
/** Where it opens: a point, the card's button, or all of a card, so that the menu is never over its title. */
type Place = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>
type Opened = { taskId: number; place: Place; from: HTMLElement; align: 'start' | 'end'; isOnCard?: true; part?: MenuPart }
type OpenMenu = (taskId: number, button: HTMLElement) => void

export const TaskMenuContext = createContext<OpenMenu>(() => {})

/** One menu for all cards: it opens at the pointer, or below the card or its button. */
export function useTaskMenu(board: Board, tasks: Task[], locked: boolean) {
  const [opened, setOpened] = useState<(Opened & { nth: number }) | null>(null)
  const times = useRef(0)
  /** A new menu each time: the previous one may not be gone yet. */
  const show = useCallback((next: Opened) => {
    times.current += 1
    setOpened({ ...next, nth: times.current })
  }, [])
  const open: OpenMenu = useCallback(
    (taskId, button) => show({ taskId, from: button, place: button.getBoundingClientRect(), align: 'end' }),
    [show],
  )
  const [dating, setDating] = useState<Dating | null>(null)
  const task = opened && tasks.find(({ id }) => id === opened.taskId)
  useEffect(() => {
    const item = opened?.from.closest('.item')
    item?.setAttribute('data-open', '')
    return () => item?.removeAttribute('data-open')
  }, [opened])

  function onContextMenu(event: MouseEvent) {
    const card = locked ? null : cardAt(event.target)
    // A long press on a card drags it.
    if (!card || ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch')) return
    event.preventDefault()
    const place = { x: event.clientX, y: event.clientY, width: 0, height: 0 }
    show({ taskId: Number(card.dataset.task), from: card, place, align: 'start' })
  }
  function onKeyDown(event: KeyboardEvent) {
    const card = locked ? null : cardAt(event.target)
    if (!card || !(event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return false
    event.preventDefault()
    openBelow(card)
    return true
  }
  function openBelow(card: HTMLElement, part?: MenuPart) {
    const place = card.getBoundingClientRect()
    show({ taskId: Number(card.dataset.task), from: card, place, align: 'start', isOnCard: true, ...(part && { part }) })
  }
  function openPart(taskId: number, part: MenuPart) {
    const card = cardOf(taskId)
    if (card) openBelow(card, part)
  }
  const close = (focusGoes: boolean) => {
    setOpened(null)
    // A moved card gets the focus at its new place, and a dialog has it. Once a card is selected, its button is gone.
    if (!focusGoes && opened) (opened.from.isConnected ? opened.from : cardOf(opened.taskId))?.focus({ preventScroll: true })
  }
  const menu = opened && task && (
    <TaskMenu
      key={opened.nth}
      board={board}
      task={task}
      part={opened.part}
      align={opened.align}
      onOtherDay={() => setDating({ task, from: opened.from })}
      onClose={close}
    >
      {/* Outlines the card if a key opened the menu, which then has the focus. */}
      <span
        className={`pointer-events-none fixed z-30 rounded-card ${opened.isOnCard ? 'outline-2 outline-text' : ''}`}
        style={styleOf(opened.place)}
        aria-hidden
        tabIndex={-1}
      />
    </TaskMenu>
  )
  const calendar = <OtherDay boardId={board.id} dating={dating} onClose={() => setDating(null)} />
  return { open, openPart, menu, calendar, onContextMenu, onKeyDown }
}

const cardOf = (taskId: number) => document.querySelector<HTMLElement>(`[data-task="${taskId}"]`)

const styleOf = ({ x, y, width, height }: Place) => ({ left: x, top: y, width, height })

type Props = {
  board: Board
  task: Task
  part: MenuPart | undefined
  align: Opened['align']
  onOtherDay(): void
  onClose(focusGoes: boolean): void
  children: ReactNode
}

/** `children` is the menu's anchor. */
function TaskMenu({ board, task, part, align, onOtherDay, onClose, children }: Props) {
  const focusGoes = useRef(false)
  const [asking, setAsking] = useState(false)
  const isAsking = useRef(false)
  const { leave, isSelected, select } = use(MovesContext)
  useLeaveWhenDeleted(task)
  const remove = () => {
    focusGoes.current = true
    leave(task)
    void submitWithUndo(board.id, deleteTask, { taskId: task.id })
  }
  const answered = (open: boolean) => {
    setAsking(open)
    if (!open) onClose(focusGoes.current)
  }
  const ask = () => {
    isAsking.current = true
    setAsking(true)
  }
  const text = deletionText(task, useBoardView(board.id)?.timers)
  const passFocus = () => {
    focusGoes.current = true
  }
  const otherDay = () => {
    passFocus()
    onOtherDay()
  }
  const parts: Record<MenuPart, ReactNode> = {
    Assign: <People board={board} task={task} />,
    'Due date': <Due boardId={board.id} task={task} onOther={otherDay} />,
    Move: <Moves task={task} onMove={passFocus} />,
  }
  const within = document.getElementById(BOARD_ID)
  if (asking)
    return (
      <Confirm open onOpenChange={answered} title="Delete this task?" text={text ?? ''} action="Delete Task" onConfirm={remove} />
    )
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <MenuPanel
        within={within}
        align={align}
        aria-label={part ? `${part}: ${task.title}` : task.title}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!isAsking.current) onClose(focusGoes.current)
        }}
      >
        {part ? (
          <>
            <FocusedFirst />
            {parts[part]}
          </>
        ) : (
          <>
            {(['Assign', 'Due date'] as const).map((label) => (
              <SubMenu key={label} label={label} within={within}>
                {parts[label]}
              </SubMenu>
            ))}
            <TimerItem task={task} />
            <MenuLine />
            {parts.Move}
            <MenuLine />
            <MenuItem onSelect={() => select(task)}>{isSelected(task) ? 'Deselect' : 'Select'}</MenuItem>
            <MenuItem onSelect={() => void copyText(linkTo(board.id, task), 'Link Copied')}>Copy link</MenuItem>
            <DeleteItem board={board} task={task} onSelect={text ? ask : remove} />
          </>
        )}
      </MenuPanel>
    </DropdownMenu.Root>
  )
}

/** Radix mistakes the key that opened the menu for a pointer press. */
function FocusedFirst() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    place.current?.parentElement
      ?.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')
      ?.focus({ preventScroll: true })
  }, [])
  return <span ref={place} hidden />
}

const linkTo = (boardId: number, { id }: Task) => new URL(`/board/${boardId}#${taskHash(id)}`, location.origin).href
