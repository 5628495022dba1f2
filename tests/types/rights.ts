/** What must not compile: `bun run check` fails where one of these does. Nothing here runs. */
import { z } from 'zod'
import { listSessions, setPassword } from '../../src/account/server/store'
import { boardArchive } from '../../src/archive/server/boardExport.store'
import type { AttachmentGrant } from '../../src/attachments/server/grants'
import { becomeOperator, linkAccount, lockOut, markEmailVerified, spendLink } from '../../src/auth/server/store'
import { refreshSubscription } from '../../src/billing/server/updateSubscription'
import { announce } from '../../src/boards/server/announce'
import { markDeleted, restoreBoard } from '../../src/boards/server/deleted.store'
import { type BoardGrant, grantBoardReading, grantCreated, type OwnHoursGrant } from '../../src/boards/server/grants'
import { addMember, readBoard } from '../../src/boards/server/store'
import { addComment, restoreComment } from '../../src/comments/server/store'
import type { Db } from '../../src/db/database'
import type { AnswerGrant } from '../../src/imports/server/names/grants'
import { moveSome, offerName } from '../../src/imports/server/names/store'
import { endInvitationsTo } from '../../src/invitations/server/store'
import { readInbox } from '../../src/notifications/server/store'
import { grantAccount, grantOperatorReading } from '../../src/operator/server/grants'
import type { AccountRow } from '../../src/operator/server/lookup'
import { disable, listPeople } from '../../src/operator/server/store'
import type { Context } from '../../src/server/context'
import { restCalls } from '../../src/server/rest'
import { protectedRoute, publicRoute } from '../../src/server/routes'
import type { SessionUser, SignedIn } from '../../src/server/signedIn'
import type { TransactionContext } from '../../src/server/transaction'
import { publicProcedure } from '../../src/server/trpc'
import { type Task, task } from '../../src/tasks/schema'
import type { TaskGrant } from '../../src/tasks/server/grants'
import type { TaskRow } from '../../src/tasks/server/lookup'
import { tasksDomain } from '../../src/tasks/server/router'
import { createTask, deleteTask, updateTask } from '../../src/tasks/server/store'
import type { TimeEntry } from '../../src/time/schema'
import { deleteEntry, logWork, writeEntry } from '../../src/time/server/store'
import { startTimer } from '../../src/time/server/timers.store'
import { setNotifications, updateProfile } from '../../src/users/server/store'

type Given = {
  db: Db
  ctx: Context & TransactionContext
  viewer: SignedIn
  user: SessionUser
  task: Task
  account: AccountRow
  entry: TimeEntry
  readsBoard: BoardGrant<'read'>
  readsTask: TaskGrant<'read'>
  changesTask: TaskGrant<'change'>
  deletesFile: AttachmentGrant<'delete'>
  deletesBoard: BoardGrant<'delete'>
  readsHours: OwnHoursGrant
  answersName: AnswerGrant
}

export async function rights(given: Given) {
  const { db, ctx, viewer, user, entry, readsBoard, readsTask, changesTask, deletesFile, deletesBoard, readsHours, answersName } =
    given

  // A right is not made by hand.
  // @ts-expect-error facts alone are no grant
  await markDeleted(db, { viewer, board: readsBoard.board })
  // @ts-expect-error nor is a row
  await updateTask(db, { viewer, board: readsBoard.board, task: given.task }, {})

  // Reading is not changing.
  // @ts-expect-error to read a board is not to write to it
  await createTask(db, readsBoard, { title: 'x', status: 'todo', tags: [] })
  // @ts-expect-error nor to add members
  await addMember(db, readsBoard, 1)
  // @ts-expect-error to read a task is not to change it
  await updateTask(db, readsTask, {})
  // @ts-expect-error nor to comment on it
  await addComment(db, readsTask, 'x')
  // @ts-expect-error nor to log work on it
  await logWork(db, readsTask, { status: 'completed', duration: 1, billable: true, notify: false }, 0)

  // @ts-expect-error nor to delete it
  await markDeleted(db, readsBoard)

  // One right is not another.
  // @ts-expect-error to delete a board is not to bring it back, which takes room in the plan
  await restoreBoard(db, deletesBoard)
  // @ts-expect-error nor is to read one's own hours on a deleted board to read the board
  await readBoard(db, readsHours)
  // @ts-expect-error nor is to read a board to take all of it along
  boardArchive(ctx.services, readsBoard)
  // @ts-expect-error nor to delete it
  boardArchive(ctx.services, deletesBoard)
  // @ts-expect-error to change a task is not to delete it
  await deleteTask(db, changesTask)
  // @ts-expect-error nor to bring back what somebody deleted from it
  await restoreComment(db, changesTask)
  // @ts-expect-error nor to start a timer, for which the one that runs is locked too
  await startTimer(db, changesTask, { status: 'ACTIVE', billable: true, notify: false }, 0)
  // @ts-expect-error to delete a file is not to delete its task
  await deleteTask(db, deletesFile)

  // @ts-expect-error to be asked whether a name is one's own is not to have said so
  await moveSome(db, answersName)
  // @ts-expect-error nor to have somebody else asked
  await offerName(db, answersName)

  // A time entry is written by its grant, not by having been read.
  // @ts-expect-error
  await writeEntry(db, { entry }, { note: 'x' })
  // @ts-expect-error
  await writeEntry(db, readsTask, { note: 'x' })
  // @ts-expect-error
  await deleteEntry(db, { ...readsTask, entry, isLocked: false })

  // Whoever may not change a board announces nothing there.
  const deleted = { type: 'task_deleted', to: 'openBoard', payload: { taskId: 1 } } as const
  // @ts-expect-error
  await announce(ctx, { viewer, board: { id: 1 } }, deleted, [])
  // @ts-expect-error
  await announce(ctx, readsTask, deleted, [])
  // @ts-expect-error
  await endInvitationsTo(db, { id: 1 }, 1)
  // @ts-expect-error
  await endInvitationsTo(db, readsBoard, 1)

  // An address is proven by what only its owner gets, not by being somebody's.
  // @ts-expect-error
  await markEmailVerified(db, ctx.services.config, { user: viewer })
  // @ts-expect-error
  await lockOut(db, ctx.services.config, { user: viewer })
  // @ts-expect-error nor is who is signed in the operator, without the setup link
  await becomeOperator(db, { user: viewer })
  // @ts-expect-error
  await linkAccount(db, { user: viewer, provider: 'oidc', subject: 'x' })
  const link = { id: 1, email: 'x', purpose: 'sign-in', userId: null, askedBy: null, mailed: true, operatorActId: null } as const
  // @ts-expect-error nor is a link used up by who has not shown it
  await spendLink(db, { user: viewer, hasPassword: true, link })

  // Who runs the server does what grants say, and to whom.
  // @ts-expect-error to see who is there is not to change anybody
  await grantAccount(db, await grantOperatorReading(db, viewer), 1)
  // @ts-expect-error nor is an account that one has found one's to disable
  await disable(db, { viewer, account: given.account })
  // @ts-expect-error
  await listPeople(db, { viewer }, { search: '' })

  // What is sent is a message that somebody has named.
  // @ts-expect-error there is no such message
  ctx.outbox.push({ do: 'publish', topics: ['board:1'], message: { type: 'task_updatd', payload: { taskId: 1 } } })

  // Who hears a message is part of its type.
  // @ts-expect-error what happens to a task is for whoever has the board open
  await announce(ctx, changesTask, { ...deleted, to: 'members' }, [])
  // @ts-expect-error what is one person's goes to no board
  await announce(ctx, changesTask, { type: 'rate_changed', to: 'user', payload: { boardId: 1 } }, [])

  // One's own data is for whoever is signed in.
  // @ts-expect-error
  await grantBoardReading(db, user, 1)
  // @ts-expect-error
  await listSessions(db, user)
  // @ts-expect-error
  await setPassword(db, user, 'hash')
  // @ts-expect-error
  await readInbox(db, user, undefined)
  // @ts-expect-error
  await setNotifications(db, user, {})
  // @ts-expect-error
  await updateProfile(db, { viewer, boards: [] }, {})
  // @ts-expect-error nor is a subscription looked at for any number
  await refreshSubscription(ctx.services, { userId: 1 })
  // @ts-expect-error a board that was not just made is no created one
  await grantCreated(db, viewer, 1)
}

// What is read of a task is what a task shows, but for what its checklist is made of: no column reaches answers by being there.
type Shown = Exclude<keyof TaskRow, 'checklistDone' | 'checklistAll'>
export const shown: Shown extends keyof Task ? true : false = true

// Without a check nobody acts for a person.
export const procedures = [
  // @ts-expect-error a public procedure has no viewer
  publicProcedure.query(({ ctx }) => ctx.viewer.id),
  publicProcedure.query(({ ctx }) => {
    // @ts-expect-error and its session's user is none
    if (ctx.session) return grantBoardReading(ctx.db, ctx.session.user, 1)
  }),
]
const described = z.object({})
export const routes = [
  // @ts-expect-error a public route has no viewer
  publicRoute.get('/x', 'x.y', 'x', described, async ({ viewer }) => Response.json(viewer)),
  publicRoute.get('/x', 'x.y', 'x', described, async ({ services, session }) =>
    // @ts-expect-error and its session's user is none
    Response.json(await grantBoardReading(services.db, session?.user, 1)),
  ),
  protectedRoute.get('/x', 'x.y', 'x', described, async ({ services, viewer }) =>
    Response.json(await grantBoardReading(services.db, viewer, 1)),
  ),
]

// A REST line says what its procedure answers, and takes no other parameters.
const { get, remove } = restCalls('tasks', tasksDomain.router)
export const lines = [
  // @ts-expect-error a task that is read alone has its attachments
  get('/api/tasks/:taskId', 'get', 'A task', task),
  // @ts-expect-error there is no such procedure
  remove('/api/tasks/:taskId', 'forget', 'Forget a task', z.object({})),
  // @ts-expect-error the procedure has no such parameter
  remove('/api/tasks/:id', 'delete', 'Delete a task', z.object({ success: z.literal(true) })),
]
