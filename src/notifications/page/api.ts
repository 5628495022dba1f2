import { apiOf } from '../../web/trpc'
import type { notificationsRouter } from '../server/router'

export const notificationsApi = apiOf<typeof notificationsRouter>('notifications')
