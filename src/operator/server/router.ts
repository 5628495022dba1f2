import { z } from 'zod'
import { assertOwner, type Protected } from '../../account/server/owner'
import { forgetDeletedCustomers } from '../../billing/server/reconciliation'
import { done, id } from '../../schema'
import { notFound } from '../../server/errors'
import { earlierOr } from '../../server/idempotency/once'
import { sendTestMail } from '../../server/mail/testMail'
import { inTransaction, type Kind, once } from '../../server/transaction'
import { mutation, protectedProcedure, reading, router } from '../../server/trpc'
import {
  addressChange,
  type Confirmation,
  confirmation,
  contentChoice,
  FRESH_OPERATOR_MS,
  list,
  ofBoard,
  ofPerson,
  operatorChange,
  planChange,
  testMail,
} from '../schema'
import { handBoardOver, revokeInvitationOf } from './boards/changes'
import { listAllBoards, listAllInvitations, membersOf } from './boards/store'
import { grantOperator, grantOperatorReading } from './grants'
import { listFailedMails, retryFailed } from './mailQueue'
import type { Operating } from './operating'
import {
  changeAddress,
  changeOperator,
  changePlan,
  deleteUser,
  disableAccount,
  enableAccount,
  makeResetLink,
  proveEmail,
} from './people/changes'
import { listPeople, readPerson } from './people/store'
import { readState } from './state'

const reads = reading.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperatorReading(ctx.db, ctx.viewer) } }))

const operates = mutation.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperator(ctx.db, ctx.viewer) } }))

/** For what lets an operator act as somebody, or makes others operators: another at their keyboard must not. Throws FORBIDDEN. */
async function assertConfirmed(ctx: Protected, { password }: Confirmation) {
  await grantOperatorReading(ctx.services.db, ctx.viewer)
  await assertOwner(ctx, password, FRESH_OPERATOR_MS)
}

const confirmed = (ctx: Protected, given: Confirmation, work: (ctx: Operating) => Promise<void>, kind?: Kind) =>
  earlierOr(ctx, async () => {
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

export const operatorRouter = router({
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
    .meta({ deletes: true })
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
      void forgetDeletedCustomers(ctx.services)
      return answer
    }),

  /** Kept nowhere, so not repeated under a key either. */
  resetLink: takesPassword.input(ofPerson).mutation(async ({ ctx, input }) => {
    await assertConfirmed(ctx, input)
    return inTransaction(ctx, async (transaction) => {
      const grant = await grantOperator(transaction.db, ctx.viewer)
      return { link: await makeResetLink({ ...ctx, ...transaction, grant }, input.userId) }
    })
  }),

  handOver: takesPassword
    .input(ofBoard)
    .input(ofPerson)
    .mutation(({ ctx, input }) => confirmed(ctx, input, (operating) => handBoardOver(operating, input.boardId, input.userId))),

  revokeInvitation: operates
    .meta({ deletes: true })
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
