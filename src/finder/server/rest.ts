import { restCalls } from '../../server/rest'
import { found } from '../schema'
import { finderRouter } from './router'

const { get } = restCalls('finder', finderRouter)

export const finderRest = [
  get('/api/find', 'find', 'Boards, tasks, comments and people that one may see, by words or what is like them', found),
]
