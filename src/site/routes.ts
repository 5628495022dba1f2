import { accountRoutes } from '../account/server/routes'
import { archiveRoutes } from '../archive/server/routes'
import { attachmentsRoutes } from '../attachments/server/routes'
import { authRoutes } from '../auth/server/routes'
import { billingRoutes } from '../billing/server/routes'
import { importsRoutes } from '../imports/server/routes'
import { notificationsRoutes } from '../notifications/server/routes'
import type { RawRoute } from '../server/routes'
import { tasksRoutes } from '../tasks/server/routes'
import { timeRoutes } from '../time/server/routes'
import { usersRoutes } from '../users/server/routes'

export const rawRoutes: RawRoute[] = [
  ...tasksRoutes,
  ...attachmentsRoutes,
  ...usersRoutes,
  ...timeRoutes,
  ...archiveRoutes,
  ...authRoutes,
  ...notificationsRoutes,
  ...billingRoutes,
  ...accountRoutes,
  ...importsRoutes,
]
