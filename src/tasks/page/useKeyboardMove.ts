import {
  createContext,
  type FocusEvent,
  type MouseEvent,
  use,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isCovered } from '../../web/keyboard'
import { useLiveMessages } from '../../web/live/socket'
import { storedId } from '../../web/live/temporaryIds'
import { isByFinger } from '../../web/pointer'
import { STATUS_LABELS, STATUSES, type Status } from '../limits'
import type { Task } from '../schema'
import { changesOrder } from './cardDrag'
import { movedTo, type Place, placeAt } from './reducers'
import type { Selection } from './useSelection'

type Lifted = { taskId: number; status: Status; index: number }
type Options = {
  tasks: Task[]
  locked: boolean
  selection: Selection
  open(task: Task): void
  move(input: { taskId: number; place: Place }): void
}

/** The shell's first link skips here. */
export const BOARD_ID = 'board'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'preventDefault'>

/** The card to focus once it is rendered; with a status, only in that column. */
export type FocusRequest = { taskId: number; status?: Status }

type Moves = {
  tasks: Task[]
  moveTo(task: Task, status: Status, index: number): void
  leave(task: Task, others?: Task[]): void
  isSelected(task: Task): boolean
  select(task: Task): void
}

export const MovesContext = createContext<Moves>({
  tasks: [],
  moveTo: () => {},
  leave: () => {},
  isSelected: () => false,
  select: () => {},
})

/** Another card gets the focus if `task` is deleted elsewhere. `close` runs first: a card never takes the focus from a field. */
export function useLeaveWhenDeleted(task: Task | undefined, close?: () => void): void {
  const { leave } = use(MovesContext)
  useLiveMessages({
    task_deleted({ taskId }) {
      if (!task || taskId !== task.id) return
      close?.()
      leave(task)
    },
  })
}

export const columnKeys = (actionOf: (status: Status) => () => void) =>
  Object.fromEntries(STATUSES.map((status, nth) => [nth + 1, actionOf(status)]))

const inColumn = (tasks: Task[], status: Status) => tasks.filter((task) => task.status === status)

/** Space picks up and drops, arrows move, Escape puts back; arrows alone walk the cards. Screen readers announce all of it. */
export function useKeyboardMove({ tasks, locked, selection, open, move }: Options) {
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const [request, setRequest] = useState<FocusRequest | null>(null)
  const focus = (taskId: number, status?: Status) => setRequest({ taskId, status })
  const [spoken, setSpoken] = useState('')
  const lastFocused = useRef<Element>(null)
  const lastTasks = useRef(tasks)

  const task = lifted && tasks.find(({ id }) => id === lifted.taskId)
  // Deleted meanwhile: restored, it is not lifted.
  if (lifted && !task) setLifted(null)
  const shown = task ? withMoved(tasks, task, placeAt(tasks, task.id, lifted.status, lifted.index)) : tasks

  function lift(card: Task) {
    const column = inColumn(tasks, card.status)
    const index = column.findIndex(({ id }) => id === card.id)
    setLifted({ taskId: card.id, status: card.status, index })
    setSpoken(
      `${card.title} picked up, ${place(card.status, index, column.length)}. Arrow keys move it, Space drops it, Escape puts it back.`,
    )
  }

  function shift(card: Task, from: Lifted, key: string) {
    const next = shifted(tasks, from, key)
    setLifted(next)
    focus(card.id)
    const others = inColumn(tasks, next.status).filter(({ id }) => id !== card.id).length
    setSpoken(place(next.status, next.index, others + 1))
  }

  function drop(card: Task, at: Omit<Lifted, 'taskId'>) {
    const to = placeAt(tasks, card.id, at.status, at.index)
    if (changesOrder(tasks, card, to)) move({ taskId: card.id, place: to })
    setLifted(null)
    focus(card.id, at.status)
    setSpoken(`${card.title} dropped, ${STATUS_LABELS[at.status]}, position ${at.index + 1}.`)
  }

  function putBack(card: Task) {
    setLifted(null)
    setSpoken(`${card.title} is back in its place.`)
  }

  function onBlur(event: FocusEvent) {
    lastFocused.current = null
    if (task && event.relatedTarget && cardIdOf(event.relatedTarget) !== task.id) putBack(task)
  }

  function onKeyDown(event: Pressed) {
    // Keys may be pressed faster than the focus follows.
    const meant = event.target === document.body ? (task?.id ?? request?.taskId) : cardIdOf(event.target)
    const card = tasks.find(({ id }) => id === meant)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!card) return enter(event)
    const mine = lifted?.taskId === card.id ? lifted : null
    if (event.key.startsWith('Arrow')) {
      if (mine) shift(card, mine, event.key)
      else {
        const from = tasks.find(({ id }) => id === request?.taskId) ?? card
        const next = neighbour(tasks, from, event.key) ?? from.id
        if (event.shiftKey && !locked) selection.add([from.id, next])
        focus(next)
      }
    } else if (event.key === ' ' && !locked) {
      if (mine) drop(card, mine)
      else lift(card)
    } else if (event.key === 'Enter') {
      if (mine) drop(card, mine)
      else open(card)
    } else if (event.key === 'Escape' && mine) {
      putBack(card)
      focus(card.id)
    } else return
    event.preventDefault()
  }

  function enter(event: Pressed) {
    const first = STATUSES.flatMap((status) => inColumn(tasks, status))[0]
    if (!first || !event.key.startsWith('Arrow') || !isBeforeCards(event.target) || isCovered()) return
    focus(first.id)
    event.preventDefault()
  }

  // Nothing has the focus on a new board, or for a frame while a card changes columns.
  const onBodyKeyDown = useEffectEvent((event: Pressed) => event.target === document.body && onKeyDown(event))
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onBodyKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  function onClick({ target, clientX, clientY, ctrlKey, metaKey }: MouseEvent) {
    const card = hitBy(target, clientX, clientY)?.closest<HTMLElement>('[data-task]')
    const clicked = tasks.find(({ id }) => id === Number(card?.dataset.task))
    // Once one is selected by touch, a tap selects others.
    const isChoosing = ctrlKey || metaKey || (selection.tasks.length > 0 && isByFinger())
    if (clicked) isChoosing && !locked ? select(clicked) : open(clicked)
  }

  const isSelected = ({ id }: Task) => selection.has(id)
  function select(card: Task) {
    setSpoken(`${card.title} ${isSelected(card) ? 'no longer selected' : 'selected'}.`)
    selection.toggle(card.id)
  }

  /** The card that a key means: keys may be pressed faster than the focus follows. */
  function current(): Task | undefined {
    const meant = document.activeElement === document.body ? (task?.id ?? request?.taskId) : cardIdOf(document.activeElement)
    return tasks.find(({ id }) => id === meant)
  }

  const onFocus = ({ target }: FocusEvent) => {
    lastFocused.current = target
  }
  /** Refocuses a card that was moved, or the one after a deleted one: React reports no blur then. Not after a pointer press. */
  function followMoved() {
    const former = lastTasks.current
    lastTasks.current = tasks
    const requestedId = request && storedId(request.taskId)
    const requested = former.find(({ id }) => id === requestedId)
    // Deleted as well before it got the focus.
    if (requested && tasks.every(({ id }) => id !== requestedId)) return leave(requested, [], former)
    if (document.activeElement !== document.body || lastFocused.current?.hasAttribute('data-by-pointer')) return
    const isMeant = ({ id }: Task) => id === cardIdOf(lastFocused.current)
    const card = tasks.find(isMeant)
    const gone = former.find(isMeant)
    if (!card) return void (!request && gone && leave(gone, [], former))
    const isAwaited = request && (request.taskId !== card.id || (request.status ?? card.status) === card.status)
    if (!isAwaited) focus(card.id)
  }

  const handlers = { onClick, onKeyDown, onFocus, onBlur, onPointerDown: () => task && putBack(task) }
  const moveTo = (card: Task, status: Status, index: number) => drop(card, { status, index })
  const focused = useCallback(() => setRequest(null), [])
  /** Before cards are removed, focuses the nearest remaining card below or above. */
  function leave(card: Task, others: Task[] = [], former = tasks) {
    const column = inColumn(former, card.status)
    const index = column.findIndex(({ id }) => id === card.id)
    const isThere = ({ id }: Task) => tasks.some((task) => task.id === id)
    const stays = (next: Task) => isThere(next) && [card, ...others].every(({ id }) => id !== next.id)
    const next = column.slice(index).find(stays) ?? column.slice(0, index).findLast(stays)
    if (next) focus(next.id)
  }
  return {
    tasks: shown,
    taskId: task?.id ?? null,
    request,
    focus,
    focused,
    followMoved,
    current,
    leave,
    moveTo,
    isSelected,
    select,
    spoken,
    handlers,
  }
}

const cardIdOf = (target: EventTarget | null) => (target instanceof HTMLElement ? Number(target.dataset.task) : Number.NaN)

/** A scrolling list covers its cards (useRestingPointer), so the point is looked up. Selecting text is not a click. */
function hitBy(target: EventTarget, x: number, y: number): Element | undefined {
  if (!(target instanceof HTMLUListElement)) return target instanceof Element ? target : undefined
  if (getSelection()?.isCollapsed === false) return undefined
  return document.elementsFromPoint(x, y).find((each) => each !== target)
}

/** The page's body, or the board itself after the skip link. */
const isBeforeCards = (target: EventTarget | null) =>
  target === document.body || (target instanceof HTMLElement && target.id === BOARD_ID)

const place = (status: Status, index: number, count: number) => `${STATUS_LABELS[status]}, position ${index + 1} of ${count}`

function withMoved(tasks: Task[], task: Task, to: Place): Task[] {
  const moved = movedTo(tasks, task, to)
  return tasks
    .filter(({ id }) => id !== task.id)
    .concat(moved)
    .sort((a, b) => (a.position < b.position ? -1 : 1))
}

const sideways = (status: Status, key: string): Status => {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  return STATUSES[STATUSES.indexOf(status) + step] ?? status
}

function shifted(tasks: Task[], from: Lifted, key: string): Lifted {
  const status = sideways(from.status, key)
  const last = inColumn(tasks, status).filter(({ id }) => id !== from.taskId).length
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  return { ...from, status, index: Math.max(0, Math.min(last, from.index + step)) }
}

function neighbour(tasks: Task[], card: Task, key: string): number | undefined {
  const own = inColumn(tasks, card.status)
  const index = own.findIndex(({ id }) => id === card.id)
  if (key === 'ArrowDown') return own[index + 1]?.id
  if (key === 'ArrowUp') return own[index - 1]?.id
  const status = sideways(card.status, key)
  if (status === card.status) return undefined
  const beside = inColumn(tasks, status)
  return beside[Math.min(index, beside.length - 1)]?.id
}
