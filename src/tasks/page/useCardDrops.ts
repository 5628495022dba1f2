import { useEffect, useEffectEvent } from 'react'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import { STATUSES, type Task } from '../schema'
import { movedTo, type Place } from './taskPlace'

export const cardData = (taskId: number) => ({ kind: 'card', taskId })
export const isCard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'card'

type Drops = { tasks: Task[]; move(input: { taskId: number; place: Place }): void }

/** Turns a drop into a move, unless the card lies where it was. */
export function useCardDrops({ tasks, move }: Drops): void {
  const onDrop = useEffectEvent((taskId: number, place: Place | undefined) => {
    const task = tasks.find(({ id }) => id === taskId)
    if (task && place && changesOrder(tasks, task, place)) move({ taskId, place })
  })
  useEffect(
    () =>
      withDragAndDrop(({ monitorForElements }) =>
        monitorForElements({
          canMonitor: isCard,
          onDrop: ({ source, location }) => onDrop(Number(source.data.taskId), placeOf(location.current.dropTargets[0]?.data)),
        }),
      ),
    [],
  )
}

function placeOf(target: Record<string | symbol, unknown> | undefined): Place | undefined {
  const status = STATUSES.find((known) => known === target?.status)
  return target && status && { status, before: asId(target.before), after: asId(target.after) }
}

const asId = (given: unknown) => (typeof given === 'number' ? given : undefined)

type Span = { start: number; end: number }

/** Where a filter hides tasks in between, the gap is beside the card that is pointed at. */
export function gapAt(tasks: Task[], spans: Span[], y: number, dragged: unknown) {
  const found = spans.findIndex(({ start, end }) => y < (start + end) / 2)
  const below = found < 0 ? tasks.length : found
  const nextAt = tasks[below]?.id === dragged ? below + 1 : below
  const lastAt = tasks.findLastIndex(({ id }, nth) => nth < below && id !== dragged)
  const [next, last] = [tasks[nextAt], tasks[lastAt]]
  const line = next ? (spans[nextAt]?.start ?? 0) - HALF_GAP : (spans[lastAt]?.end ?? 0) + HALF_GAP - 2
  if (next && (!last || y >= (spans[nextAt]?.start ?? 0))) return { place: { before: next.id }, line }
  return last ? { place: { after: last.id }, line } : { place: {}, line: 0 }
}

const HALF_GAP = 5

function changesOrder(tasks: Task[], task: Task, place: Place): boolean {
  if (place.status !== task.status) return true
  const { position } = movedTo(tasks, task, place)
  const passed = (other: Task) =>
    other.status === task.status && other.id !== task.id && other.position < position !== other.position < task.position
  return tasks.some(passed)
}
