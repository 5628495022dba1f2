import { z } from 'zod'
import { accountRouter } from '../account/server/router'
import { activityRouter } from '../activity/server/router'
import { attachmentsRouter } from '../attachments/server/router'
import { authRouter } from '../auth/server/router'
import { billingRouter } from '../billing/server/router'
import { boardStartersRouter } from '../boardStarters/server/router'
import { boardClientMessages, boardsRouter } from '../boards/server/router'
import { commentClientMessages, commentsRouter } from '../comments/server/router'
import { finderRouter } from '../finder/server/router'
import { importsRouter } from '../imports/server/router'
import { invitationsRouter } from '../invitations/server/router'
import { notificationsRouter } from '../notifications/server/router'
import { operatorRouter } from '../operator/server/router'
import { clientMessage } from '../server/live/clientMessages'
import { sendTo } from '../server/live/hub'
import { router } from '../server/trpc'
import { taskClientMessages, tasksRouter } from '../tasks/server/router'
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

const ping = clientMessage(z.object({}), ({ socket }) => {
  sendTo(socket, { type: 'pong', payload: {} })
})

export const clientMessages = { ping, ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }
