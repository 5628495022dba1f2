import { restCalls } from '../../server/rest'
import { today } from '../schema'
import { todayRouter } from './router'

const { get } = restCalls('today', todayRouter)

export const todayRest = [
  get(
    '/api/today',
    'get',
    "The tasks that one is assigned to, those done today among them, the hours that one worked this week, and one's boards",
    today,
  ),
]
