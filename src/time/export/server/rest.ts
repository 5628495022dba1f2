import { restCalls } from '../../../server/rest'
import { statement } from '../../report/schema'
import { exportRouter } from './router'

const { get } = restCalls('time', exportRouter)

export const exportRest = [
  get('/api/boards/:boardId/time-statement', 'statement', 'The time entries of a board that match, to be printed', statement),
]
