import { restCalls } from '../../../server/rest'
import { myTime } from '../schema'
import { mineRouter } from './router'

const { get } = restCalls('time', mineRouter)

export const mineRest = [
  get(
    '/api/time-entries/mine',
    'mine',
    "One's own time on all of one's boards, by days; this week unless told otherwise",
    myTime,
  ),
]
