import { board } from '../../boards/schema'
import { restCalls } from '../../server/rest'
import { boardStartersRouter } from './router'

const { create } = restCalls('boardStarters', boardStartersRouter)

export const boardStartersRest = [
  create('/api/boards/example', 'example', 'Create a board with six tasks to try things on, due around today', board),
  create('/api/boards/from-list', 'fromList', 'Create a board with a task for each line of a list', board),
]
