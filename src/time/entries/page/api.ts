import { apiOf } from '../../../web/trpc'
import type { timeRouter } from '../server/router'

export const timeApi = apiOf<typeof timeRouter>('time')
