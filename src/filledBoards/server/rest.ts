import { board } from '../../boards/schema'
import { restCalls } from '../../server/rest'
import type { filledBoardsRouter } from './router'

const { create } = restCalls<typeof filledBoardsRouter>('filledBoards')

export const filledBoardsRest = [
  create('/api/boards/example', 'example', 'Create a board with six tasks to try things on, due around today', board),
  create('/api/boards/from-list', 'fromList', 'Create a board with a task for each line of a list', board),
]
