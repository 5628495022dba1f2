import { z } from 'zod'
import { waitForDeletion } from '../../account/server/deletion'
import { assertOwner, type Protected } from '../../account/server/proveOwner'
import { lastBackup, lastGoodBackup } from '../../archive/server/store'
import { forgetDeletedCustomers } from '../../billing/server/updateSubscription'
import { largestTable } from '../../db/installation'
import { done } from '../../protocol'
import { id, success } from '../../schema'
import type { Services } from '../../server/context'
import { notFound } from '../../server/errors'
import { repeatOrRun } from '../../server/idempotency.store'
import { mailQueue } from '../../server/mail/store'
import { sendTestMail } from '../../server/mail/transport'
import { restCalls } from '../../server/rest'
import { inTransaction, once, type TransactionKind } from '../../server/transaction'
import { mutation, protectedProcedure, reading, router } from '../../server/trpc'
import { userSummary } from '../../users/schema'
import {
  addressChange,
  type Confirmation,
  confirmation,
  contentChoice,
  FRESH_OPERATOR_MS,
  failedMails,
  list,
  listedBoards,
  listedInvitations,
  ofBoard,
  ofPerson,
  operatorChange,
  people,
  person,
  planChange,
  resetLink,
  retried,
  type State,
  state,
  testedMail,
  testMail,
} from '../schema'
import {
  changeAddress,
  changeOperator,
  changePlan,
  createResetLink,
  deleteUser,
  disableAccount,
  enableAccount,
  handBoardOver,
  listFailedMails,
  type Operating,
  proveEmail,
  retryFailed,
  revokeInvitationOf,
} from './changes'
import { grantOperator, grantOperatorReading, type OperatorReadGrant } from './grants'
import { listAllBoards, listAllInvitations, listPeople, membersOf, readPerson } from './store'

const reads = reading.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperatorReading(ctx.db, ctx.viewer) } }))

const operates = mutation.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperator(ctx.db, ctx.viewer) } }))

/** For acts that give access to accounts: confirms who is at the keyboard. Throws FORBIDDEN. */
async function assertConfirmed(ctx: Protected, { password }: Confirmation) {
  await grantOperatorReading(ctx.services.db, ctx.viewer)
  await assertOwner(ctx, password, FRESH_OPERATOR_MS)
}

const confirmed = (ctx: Protected, given: Confirmation, work: (ctx: Operating) => Promise<void>, kind?: TransactionKind) =>
  repeatOrRun(ctx, async () => {
    await assertConfirmed(ctx, given)
    return once(
      ctx,
      async (transaction) => {
        await work({ ...ctx, ...transaction, grant: await grantOperator(transaction.db, ctx.viewer) })
        return done
      },
      kind,
    )
  })

const takesPassword = protectedProcedure.input(confirmation)

const operatorRouter = router({
  users: reads.input(list).query(({ ctx, input }) => listPeople(ctx.db, ctx.grant, input)),

  user: reads.input(ofPerson).query(async ({ ctx, input }) => {
    const found = await readPerson(ctx.db, ctx.grant, input.userId)
    if (!found) throw notFound('User not found')
    return found
  }),

  boards: reads.input(list).query(({ ctx, input }) => listAllBoards(ctx.db, ctx.grant, input)),

  members: reads.input(ofBoard).query(({ ctx, input }) => membersOf(ctx.db, ctx.grant, input.boardId)),

  invitations: reads.input(list).query(({ ctx, input }) => listAllInvitations(ctx.db, ctx.grant, input)),

  mails: reads.input(list).query(({ ctx, input }) => listFailedMails(ctx.db, ctx.grant, input)),

  state: reads.query(({ ctx }) => readState(ctx.services, ctx.grant)),

  prove: takesPassword
    .input(ofPerson)
    .mutation(({ ctx, input }) => confirmed(ctx, input, (operating) => proveEmail(operating, input.userId))),

  disable: operates
    .meta({ kind: 'deletes' })
    .input(ofPerson)
    .mutation(async ({ ctx, input }) => {
      await disableAccount(ctx, input.userId)
      return done
    }),

  enable: operates.input(ofPerson).mutation(async ({ ctx, input }) => {
    await enableAccount(ctx, input.userId)
    return done
  }),

  setPlan: operates
    .input(ofPerson)
    .input(planChange)
    .mutation(async ({ ctx, input }) => {
      await changePlan(ctx, input.userId, input.isPro)
      return done
    }),

  setOperator: takesPassword
    .input(ofPerson)
    .input(operatorChange)
    .mutation(({ ctx, input }) => confirmed(ctx, input, (operating) => changeOperator(operating, input.userId, input.operator))),

  setEmail: takesPassword
    .input(ofPerson)
    .input(addressChange)
    .mutation(({ ctx, input }) => confirmed(ctx, input, (operating) => changeAddress(operating, input.userId, input.email))),

  deleteUser: takesPassword
    .input(ofPerson)
    .input(contentChoice)
    .mutation(async ({ ctx, input }) => {
      const answer = await confirmed(
        ctx,
        input,
        (operating) => deleteUser(operating, input.userId, input.deleteContent),
        'deletes',
      )
      await waitForDeletion(ctx, input.userId)
      void forgetDeletedCustomers(ctx.services)
      return answer
    }),

  /** Not stored, so not repeated under a key either. */
  resetLink: takesPassword.input(ofPerson).mutation(async ({ ctx, input }) => {
    await assertConfirmed(ctx, input)
    return inTransaction(ctx, async (transaction) => {
      const grant = await grantOperator(transaction.db, ctx.viewer)
      return { link: await createResetLink({ ...ctx, ...transaction, grant }, input.userId) }
    })
  }),

  handOver: takesPassword
    .input(ofBoard)
    .input(ofPerson)
    .mutation(({ ctx, input }) => confirmed(ctx, input, (operating) => handBoardOver(operating, input.boardId, input.userId))),

  revokeInvitation: operates
    .meta({ kind: 'deletes' })
    .input(z.object({ invitationId: id }))
    .mutation(async ({ ctx, input }) => {
      await revokeInvitationOf(ctx, input.invitationId)
      return done
    }),

  retryMail: operates.input(z.object({ mailId: id })).mutation(async ({ ctx, input }) => ({
    mails: await retryFailed(ctx, input.mailId),
  })),

  retryMails: operates.mutation(async ({ ctx }) => ({ mails: await retryFailed(ctx) })),

  /** Waits for the mail server, so nothing runs in a transaction. */
  testMail: protectedProcedure.input(testMail).mutation(async ({ ctx, input }) => {
    const { db, services, viewer } = ctx
    await grantOperatorReading(db, viewer)
    await services.limits.consume('testMails', `user ${viewer.id}`)
    ctx.extendTimeout()
    return sendTestMail(services.config, input.to)
  }),
})

const { get, post, remove } = restCalls('operator', operatorRouter)

/** Operators only; everyone else gets 404. */
const operatorRest = [
  get('/api/operator/users', 'users', 'All users, newest first; operators only, like all calls here', people),
  get('/api/operator/users/:userId', 'user', 'A user', person),
  post('/api/operator/users/:userId/prove', 'prove', "Mark a user's email as confirmed", success),
  post('/api/operator/users/:userId/disable', 'disable', 'Disable an account and end its sessions', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/enable', 'enable', 'Enable an account', success),
  post('/api/operator/users/:userId/plan', 'setPlan', 'Give a user Pro without payment, or take it back', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/operator', 'setOperator', 'Make a user an operator, or remove the role', success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/email', 'setEmail', "Change a user's email and end their sessions", success, {
    refuses: [409],
  }),
  post('/api/operator/users/:userId/reset-link', 'resetLink', 'Create a link that lets a user set a new password', resetLink, {
    refuses: [409],
  }),
  remove(
    '/api/operator/users/:userId',
    'deleteUser',
    'Delete an account and the boards it created; the user’s work on other boards stays under “Former member”',
    success,
    { refuses: [409] },
  ),
  get('/api/operator/boards', 'boards', 'The names of all boards, newest first', listedBoards),
  get('/api/operator/boards/:boardId/members', 'members', "A board's members", z.array(userSummary)),
  post('/api/operator/boards/:boardId/hand-over', 'handOver', "Make a member the board's creator", success, {
    refuses: [409],
  }),
  get('/api/operator/invitations', 'invitations', 'Unused invitations of all boards', listedInvitations),
  remove('/api/operator/invitations/:invitationId', 'revokeInvitation', 'Revoke an invitation', success),
  get('/api/operator/mails', 'mails', 'Emails that could not be sent, newest first', failedMails),
  post('/api/operator/mails/retry', 'retryMails', 'Resend all failed emails whose text is still kept', retried, {
    refuses: [409],
  }),
  post('/api/operator/mails/test', 'testMail', 'Send a test email; returns what the mail server said', testedMail),
  post('/api/operator/mails/:mailId/retry', 'retryMail', 'Resend a failed email', retried),
  get('/api/operator/state', 'state', 'Server health: email, disk space, the last backup', state),
]

async function readState({ db, config, diskGuard, fileQuota }: Services, _: OperatorReadGrant): Promise<State> {
  const { waiting, failed } = await mailQueue(db)
  const [good, last, table] = await Promise.all([lastGoodBackup(db), lastBackup(db), largestTable(db)])
  const { free, size } = diskGuard.disk()
  return {
    database: config.databaseUrl ? 'postgres' : 'embedded',
    disk: size > 0 ? { free, size } : null,
    tooLargeToErase: config.databaseUrl || table.bytes <= diskGuard.forVacuum().spare ? null : table.name,
    changesRefused: !diskGuard.mayChange(),
    filesRefused: await fileQuota.assertRoomFor(0).then(
      () => false,
      () => true,
    ),
    mailsWaiting: waiting,
    mailServer: config.smtpUrl !== undefined,
    mailsFailed: failed,
    lastBackup: good?.toISOString() ?? null,
    backupError: last?.error ?? null,
  }
}

export const operatorDomain = { router: operatorRouter, rest: operatorRest, shapes: { OperatedUser: person } }
