import { z } from 'zod'
import { done, id } from '../../schema'
import { notFound } from '../../server/errors'
import { sendTestMail } from '../../server/mail/testMail'
import { inTransaction } from '../../server/transaction'
import { mutation, protectedProcedure, reading, router } from '../../server/trpc'
import { addressChange, list, ofBoard, ofPerson, operatorChange, planChange, testMail } from '../schema'
import { handBoardOver, revokeInvitationOf } from './boards/changes'
import { listAllBoards, listAllInvitations, membersOf } from './boards/store'
import { grantOperator, grantOperatorReading } from './grants'
import { listFailedMails, retryFailed } from './mailQueue'
import {
  changeAddress,
  changeOperator,
  changePlan,
  disableAccount,
  enableAccount,
  makeResetLink,
  proveEmail,
} from './people/changes'
import { listPeople, readPerson } from './people/store'
import { readState } from './state'

const reads = reading.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperatorReading(ctx.db, ctx.viewer) } }))

const operates = mutation.use(async ({ ctx, next }) => next({ ctx: { grant: await grantOperator(ctx.db, ctx.viewer) } }))

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

  prove: operates.input(ofPerson).mutation(async ({ ctx, input }) => {
    await proveEmail(ctx, input.userId)
    return done
  }),

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

  setOperator: operates
    .input(ofPerson)
    .input(operatorChange)
    .mutation(async ({ ctx, input }) => {
      await changeOperator(ctx, input.userId, input.operator)
      return done
    }),

  setEmail: operates
    .input(ofPerson)
    .input(addressChange)
    .mutation(async ({ ctx, input }) => {
      await changeAddress(ctx, input.userId, input.email)
      return done
    }),

  /** Kept nowhere, so not repeated under a key either. */
  resetLink: protectedProcedure.input(ofPerson).mutation(({ ctx, input }) =>
    inTransaction(ctx, async (transaction) => {
      const grant = await grantOperator(transaction.db, ctx.viewer)
      return { link: await makeResetLink({ ...ctx, ...transaction, grant }, input.userId) }
    }),
  ),

  handOver: operates
    .input(ofBoard)
    .input(ofPerson)
    .mutation(async ({ ctx, input }) => {
      await handBoardOver(ctx, input.boardId, input.userId)
      return done
    }),

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
