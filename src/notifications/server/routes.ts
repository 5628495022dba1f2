import { success } from '../../schema'
import { publicRoute } from '../../server/routes'
import { unsubscribe } from './unsubscribe'

export const notificationsRoutes = [
  publicRoute.post(
    '/unsubscribe',
    'notifications.unsubscribe',
    'End the mails of one kind (from), or all, by the link in a mail (token); RFC 8058',
    success,
    unsubscribe,
    { refuses: [400, 404, 429] },
  ),
]
