import { apiOf } from '../../web/trpc'
import type { activityRouter } from '../server/router'

export const activityApi = apiOf<typeof activityRouter>('activity')
