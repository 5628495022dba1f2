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
  if (target.kind === 'column') return { status }
  const taskId = Number(target.taskId)
  return extractClosestEdge(target) === 'top' ? { status, before: taskId } : { status, after: taskId }
}

function changesOrder(tasks: Task[], task: Task, place: Place): boolean {
  if (place.status !== task.status) return true
  const { position } = movedTo(tasks, task, place)
  const passed = (other: Task) =>
    other.status === task.status && other.id !== task.id && other.position < position !== other.position < task.position
  return tasks.some(passed)
}
