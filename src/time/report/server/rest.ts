import { restCalls } from '../../../server/rest'
import { report } from '../schema'
import { reportRouter } from './router'

const { get } = restCalls('time', reportRouter)

export const reportRest = [
  get(
    '/api/boards/:boardId/time-report',
    'report',
    'A page of the time entries of a board, and sums over all that match: days from and to, ids with commas',
    report,
  ),
]
