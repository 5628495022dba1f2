import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import { STATUSES } from '../basics'
import type { Task } from '../schema'
import { drawLine, endDrag, eraseLines, fade, isCard } from './dragLooks'
import { movedTo, type Place } from './taskPlace'

type Drops = {
  tasks: Task[]
  /** What the columns show: later than `tasks`. */
  listed: Task[]
  move(input: { taskId: number; place: Place }): void
}

/** Turns a drop into a move, unless the card lies where it was. */
export function useCardDrops({ tasks, listed, move }: Drops): void {
  const isDropped = useRef(false)
  const areListed = listed === tasks
  // Until then the card shows where it was, with the line. A move may be refused before, which leaves the columns as they are.
  useLayoutEffect(() => {
    if (!areListed || !isDropped.current) return
    isDropped.current = false
    endDrag()
  }, [areListed])
  const onDrop = useEffectEvent((taskId: number, place: Place | undefined) => {
    const task = tasks.find(({ id }) => id === taskId)
    if (!task || !place || !changesOrder(tasks, task, place)) return endDrag()
    isDropped.current = true
    move({ taskId, place })
  })
  useEffect(
    () =>
      withDragAndDrop(({ monitorForElements }) =>
        monitorForElements({
          canMonitor: isCard,
          onDragStart({ source }) {
            // The card before may not be listed yet: its end would be taken for that of this one.
            isDropped.current = false
            endDrag()
            fade(source.element)
          },
          onDropTargetChange: eraseLines,
          onDrag({ location }) {
            const [target] = location.current.dropTargets
            if (target) drawLine(target.element, Number(target.data.line))
          },
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

type Span = { index: number; start: number; end: number }

/** Where a filter hides tasks in between, the gap is beside the card that is pointed at. */
export function gapAt(tasks: Task[], spans: Span[], y: number, dragged: unknown) {
  const spanAt = (index: number) => spans.find((span) => span.index === index)
  const below = spans.find(({ start, end }) => y < (start + end) / 2)?.index ?? tasks.length
  const nextAt = tasks[below]?.id === dragged ? below + 1 : below
  const lastAt = tasks.findLastIndex(({ id }, nth) => nth < below && id !== dragged)
  const [next, last] = [tasks[nextAt], tasks[lastAt]]
  const line = next ? (spanAt(nextAt)?.start ?? 0) - HALF_GAP : (spanAt(lastAt)?.end ?? 0) + HALF_GAP - 2
  if (next && (!last || y >= (spanAt(nextAt)?.start ?? 0))) return { place: { before: next.id }, line }
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
