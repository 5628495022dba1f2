import { createContext } from 'react'
import type { Status, Task } from '../schema'

type Moves = { tasks: Task[]; moveTo(task: Task, status: Status, index: number): void; leave(task: Task): void }

export const MovesContext = createContext<Moves>({ tasks: [], moveTo: () => {}, leave: () => {} })
