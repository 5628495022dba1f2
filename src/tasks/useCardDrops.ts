import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { useEffect, useEffectEvent } from 'react'
import { movedTo, type Place } from './cache'
import { STATUSES, type Task } from './inputs'

/** What a dragged card and the places it can be dropped on carry. */
export const cardData = (task: Pick<Task, 'id' | 'status'>) => ({ kind: 'card', taskId: task.id, status: task.status })
export const columnData = (status: Task['status']) => ({ kind: 'column', status })

type Drops = { tasks: Task[]; move(input: { taskId: number; place: Place }): void }

/** Turns the drop of a card into a move; a drop where the card was already is none. */
export function useCardDrops({ tasks, move }: Drops): void {
  const onDrop = useEffectEvent((taskId: number, place: Place | undefined) => {
    const task = tasks.find(({ id }) => id === taskId)
    if (task && place && changesOrder(tasks, task, place)) move({ taskId, place })
  })
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => source.data.kind === 'card',
        onDrop: ({ source, location }) => onDrop(Number(source.data.taskId), placeOf(location.current.dropTargets[0]?.data)),
      }),
    [],
  )
}

function placeOf(target: Record<string | symbol, unknown> | undefined): Place | undefined {
  const status = STATUSES.find((known) => known === target?.status)
  if (!target || !status) return undefined
  if (target.kind === 'column') return { status, before: asId(target.before), after: asId(target.after) }
  const taskId = Number(target.taskId)
  return extractClosestEdge(target) === 'top' ? { status, before: taskId } : { status, after: taskId }
}

const asId = (given: unknown) => (typeof given === 'number' ? given : undefined)

/** The gap between a column's cards at a height of the window: the place that it is, and where to draw its line. */
export function gapAt(column: HTMLElement, clientY: number, dragged: unknown) {
  const cards = [...column.querySelectorAll<HTMLElement>('[data-task]')].filter((card) => Number(card.dataset.task) !== dragged)
  const next = cards.find((card) => clientY < middleOf(card))
  const last = cards.at(-1)
  const list = column.querySelector('ul')?.getBoundingClientRect().top ?? 0
  if (next) return { place: { before: Number(next.dataset.task) }, line: next.getBoundingClientRect().top - list - HALF_GAP }
  if (last)
    return { place: { after: Number(last.dataset.task) }, line: last.getBoundingClientRect().bottom - list + HALF_GAP - 2 }
  return { place: {}, line: 0 }
}

const HALF_GAP = 5
const middleOf = (card: HTMLElement) => {
  const { top, height } = card.getBoundingClientRect()
  return top + height / 2
}

function changesOrder(tasks: Task[], task: Task, place: Place): boolean {
  if (place.status !== task.status) return true
  const { position } = movedTo(tasks, task, place)
  const passed = (other: Task) =>
    other.status === task.status && other.id !== task.id && other.position < position !== other.position < task.position
  return tasks.some(passed)
}
