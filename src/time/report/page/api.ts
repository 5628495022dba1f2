import { apiOf } from '../../../web/trpc'
import type { reportRouter } from '../server/router'

export const reportApi = apiOf<typeof reportRouter>('time')
