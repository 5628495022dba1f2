import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import type { Task } from '../schema'
import type { Movers } from './TaskCard'

const NAMED_FOR = 2_000
const EXPECTED_FOR = 2_000

/** A card's new place, about to show on the board; a new card has no `seen`. */
type Expected = { task: Task; by: number; at: number; seen?: Sight | undefined }

type Props = {
  board: RefObject<HTMLElement | null>
  tasks: Task[]
  members: UserSummary[]
  onName(change: (known: Movers) => Movers): void
}

const isSamePlace = (a: Task, b: Task) => a.status === b.status && a.position === b.position
const isThere = (shown: Task, task: Task) => shown.id === task.id && isSamePlace(shown, task)

/** Cards moved by others glide to their new places and show for two seconds who moved them. */
export function RemoteMoves({ board, tasks, members, onName }: Props) {
  const viewer = useViewer()
  const expected = useRef(new Map<number, Expected>())
  const expect = (task: Task, by: number, seen?: Sight) =>
    expected.current.set(task.id, { task, by, seen, at: performance.now() })

  useLiveMessages({
    task_updated({ task, by }) {
      const shown = by === viewer.id ? undefined : tasks.find(({ id }) => id === task.id)
      if (shown && board.current && !isSamePlace(shown, task)) expect(task, by, seeCards(board.current, task.id))
    },
    new_task({ task, by }) {
      if (by !== viewer.id && tasks.every(({ id }) => id !== task.id)) expect(task, by)
    },
  })

  useLayoutEffect(() => {
    const arrived = [...expected.current.values()].filter(({ task }) => tasks.some((shown) => isThere(shown, task)))
    const late = performance.now() - EXPECTED_FOR
    for (const { task, at } of expected.current.values()) if (at < late) expected.current.delete(task.id)
    for (const { task } of arrived) expected.current.delete(task.id)
    if (!board.current || arrived.length === 0) return
    glide(board.current, new Map(arrived.flatMap(({ task, seen }) => (seen ? [[task.id, seen]] : []))))
    for (const { task, seen } of arrived) if (!seen) fadeIn(board.current, task.id)
    name(arrived)
  }, [tasks])

  function name(arrived: Expected[]) {
    // New objects each time, so that an earlier name's end does not remove a later one.
    const named: Movers = new Map(
      arrived.flatMap(({ task, by }) => members.filter(({ id }) => id === by).map((mover) => [task.id, { ...mover }])),
    )
    onName((known) => new Map([...known, ...named]))
    setTimeout(() => onName((known) => new Map([...known].filter(([id, mover]) => named.get(id) !== mover))), NAMED_FOR)
  }

  return null
}

const GLIDE = { duration: 160, easing: 'cubic-bezier(0.2, 0, 0, 1)' }
const FADE = { duration: 140, easing: 'ease-out' }

/** Positions of the rendered cards in their lists, and of one card on the screen. */
type Sight = { tops: Map<HTMLElement, number>; card: DOMRect | null }

const items = (board: HTMLElement) => board.querySelectorAll<HTMLElement>('li.item')
const topOf = (item: HTMLElement) => Number.parseFloat(item.style.top)
const cardOf = (board: HTMLElement, taskId: number) => board.querySelector<HTMLElement>(`[data-task="${taskId}"]`)

function seeCards(board: HTMLElement, taskId: number): Sight {
  const card = cardOf(board, taskId)
  return {
    tops: new Map([...items(board)].map((item) => [item, topOf(item)])),
    card: card && inSight(card) ? card.getBoundingClientRect() : null,
  }
}

/** Animates cards from where they were last seen, and those that made room. Cards out of sight just appear. */
function glide(board: HTMLElement, seen: ReadonlyMap<number, Sight>): void {
  const [first] = seen.values()
  if (!first || !mayMove()) return
  const moved = new Set([...seen.keys()].map((taskId) => cardOf(board, taskId)?.parentElement))
  // Measured before anything moves, or the browser would lay everything out twice.
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

function fadeIn(board: HTMLElement, taskId: number): void {
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
