import { accountRouter } from '../account/router'
import { activityRouter } from '../activity/router'
import { attachmentsRouter } from '../attachments/router'
import { authRouter } from '../auth/router'
import { billingRouter } from '../billing/router'
import { boardsRouter } from '../boards/router'
import { commentsRouter } from '../comments/router'
import { invitationsRouter } from '../invitations/router'
import { notificationsRouter } from '../notifications/router'
import { tasksRouter } from '../tasks/router'
import { timeRouter } from '../time/router'
import { usersRouter } from '../users/router'
import { callerOf, router } from './trpc'

export const appRouter = router({
  account: accountRouter,
  activity: activityRouter,
  attachments: attachmentsRouter,
  auth: authRouter,
  billing: billingRouter,
  boards: boardsRouter,
  comments: commentsRouter,
  invitations: invitationsRouter,
  notifications: notificationsRouter,
  tasks: tasksRouter,
  time: timeRouter,
  users: usersRouter,
})
export type AppRouter = typeof appRouter

export const createCaller = callerOf(appRouter)
