import { accountRouter } from '../account/server/router'
import { activityRouter } from '../activity/server/router'
import { attachmentsRouter } from '../attachments/server/router'
import { authRouter } from '../auth/server/router'
import { billingRouter } from '../billing/server/router'
import { boardStartersRouter } from '../boardStarters/server/router'
import { boardsRouter } from '../boards/server/router'
import { commentsRouter } from '../comments/server/router'
import { finderRouter } from '../finder/server/router'
import { importsRouter } from '../imports/server/router'
import { invitationsRouter } from '../invitations/server/router'
import { notificationsRouter } from '../notifications/server/router'
import { operatorRouter } from '../operator/server/router'
import { router } from '../server/trpc'
import { tasksRouter } from '../tasks/server/router'
import { timeRouter } from '../time/server/router'
import { todayRouter } from '../today/server/router'
import { usersRouter } from '../users/server/router'

export const appRouter = router({
  account: accountRouter,
  activity: activityRouter,
  attachments: attachmentsRouter,
  auth: authRouter,
  billing: billingRouter,
  boards: boardsRouter,
  comments: commentsRouter,
  boardStarters: boardStartersRouter,
  finder: finderRouter,
  imports: importsRouter,
  invitations: invitationsRouter,
  notifications: notificationsRouter,
  operator: operatorRouter,
  tasks: tasksRouter,
  time: timeRouter,
  today: todayRouter,
  users: usersRouter,
})
export type AppRouter = typeof appRouter
