import { restCalls } from '../../server/rest'
import { found } from '../schema'
import type { finderRouter } from './router'

const { get } = restCalls<typeof finderRouter>('finder')

export const finderRest = [
  get('/api/find', 'find', 'Boards, tasks, comments and people that one may see, by words or what is like them', found),
]
