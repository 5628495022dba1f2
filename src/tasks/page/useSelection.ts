import { useMemo, useState } from 'react'
import { stableKey } from '../../web/live/temporaryIds'
import type { Task } from '../schema'

const NOTHING: ReadonlySet<number> = new Set()
const NO_TASKS: Task[] = []

/** A task made offline keeps its place here when it gets its id. */
const keyOf = (taskId: number) => stableKey('task', taskId)

export type Selection = {
  keys: ReadonlySet<number>
  /** Those that are shown, in the board's order. */
  tasks: Task[]
  has(taskId: number): boolean
  toggle(taskId: number): void
  add(taskIds: number[]): void
  clear(): void
}

export function useSelection(shown: Task[]): Selection {
  const [keys, setKeys] = useState(NOTHING)
  return useMemo(() => {
    const tasks = keys.size === 0 ? NO_TASKS : shown.filter(({ id }) => keys.has(keyOf(id)))
    return {
      keys: tasks.length === 0 ? NOTHING : keys,
      tasks,
      has: (taskId) => keys.has(keyOf(taskId)),
      toggle: (taskId) => setKeys((now) => now.symmetricDifference(new Set([keyOf(taskId)]))),
      add: (taskIds) => setKeys((now) => new Set([...now, ...taskIds.map(keyOf)])),
      clear: () => setKeys(NOTHING),
    }
  }, [keys, shown])
}
