import { apiOf } from '../../../web/trpc'
import type { exportRouter } from '../server/router'

export const exportApi = apiOf<typeof exportRouter>('time')
