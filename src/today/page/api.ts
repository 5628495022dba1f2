import { apiOf } from '../../web/trpc'
import type { todayRouter } from '../server/router'

export const todayApi = apiOf<typeof todayRouter>('today')
