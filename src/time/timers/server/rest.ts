import { restCalls } from '../../../server/rest'
import { timeEntry } from '../../entries/schema'
import { ownTimers } from '../schema'
import { timersRouter } from './router'

const { get, post } = restCalls('time', timersRouter)

export const timersRest = [
  get('/api/time-entries/timers', 'timers', "One's own timers that run or rest, by the server's clock", ownTimers),
  post('/api/time-entries/:entryId/confirm', 'confirm', 'Say that all that a timer counted was work', timeEntry),
]
