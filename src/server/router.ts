import { accountRouter } from '../account/router'
import { attachmentsRouter } from '../attachments/router'
import { authRouter } from '../auth/router'
import { boardsRouter } from '../boards/router'
import { commentsRouter } from '../comments/router'
import { invitationsRouter } from '../invitations/router'
import { tasksRouter } from '../tasks/router'
import { usersRouter } from '../users/router'
import { callerOf, router } from './trpc'

export const appRouter = router({
  account: accountRouter,
  attachments: attachmentsRouter,
  auth: authRouter,
  boards: boardsRouter,
  comments: commentsRouter,
  invitations: invitationsRouter,
  tasks: tasksRouter,
  users: usersRouter,
})
export type AppRouter = typeof appRouter

export const createCaller = callerOf(appRouter)
