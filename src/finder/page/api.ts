import { apiOf } from '../../web/trpc'
import type { finderRouter } from '../server/router'

export const finderApi = apiOf<typeof finderRouter>('finder')
