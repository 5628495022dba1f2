import { createContext } from 'react'
import type { Status, Task } from '../schema'

/** `moveTo` moves a task to an index of a column. */
type Moves = { tasks: Task[]; moveTo(task: Task, status: Status, index: number): void }

export const MovesContext = createContext<Moves>({ tasks: [], moveTo: () => {} })
