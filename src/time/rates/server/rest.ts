import { restCalls } from '../../../server/rest'
import { rates } from '../schema'
import { ratesRouter } from './router'

const { get, patch } = restCalls('time', ratesRouter)

export const ratesRest = [
  get('/api/boards/:boardId/rates', 'rates', "The hourly rates that one may see: the creator all, others one's own", rates),
  patch('/api/boards/:boardId/rates/:userId', 'setRate', "Set someone's hourly rate from a day on, in cents", rates),
]
