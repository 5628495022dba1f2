import { boardEvents } from '../../activity/server/activityEvents'
import type { BoardGrant } from '../../boards/server/grants'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import { done } from '../../schema'
import { createSemaphore } from '../../server/concurrency'
import { earlierOr } from '../../server/idempotency/once'
import { toUsers } from '../../server/live/hub'
import { once, type TransactionContext } from '../../server/transaction'
import { protectedProcedure, reading, router } from '../../server/trpc'
import { importInput, nameAnswer, nameInput, nameOffer, namesDeclined, plankaAccess, plankaBoard, startInput } from '../schema'
import { grantImport } from './grants'
import { toImport } from './lookup'
import { grantAnswer, grantOffer } from './names/grants'
import { findAsked } from './names/lookup'
import { moveName } from './names/moving'
import { answerNames, listNames, offerName } from './names/store'
import { prepareConverted } from './prepare'
import { convertPlanka, plankaBoards } from './sources/plankaApi'
import { cancel, start } from './start'
import { addImport, assertFewOpen, listImports } from './store'

/** All that it answers is held in memory. */
const acquireAsking = createSemaphore({ perUser: 1, total: 4 }, 'Too many boards are being read at once.')

/** Another server is asked, which may take its time. */
const asking = protectedProcedure.use(async ({ ctx, next }) => {
  await ctx.services.limits.consume('imports', `user ${ctx.viewer.id}`)
  const release = acquireAsking(ctx.viewer.id)
  ctx.extendTimeout()
  return next().finally(release)
})

export const importsRouter = router({
  list: reading.query(({ ctx }) => listImports(ctx.db, ctx.viewer)),

  get: reading.input(importInput).query(async ({ ctx, input }) => {
    return toImport((await grantImport(ctx.db, ctx.viewer, input.importId)).row)
  }),

  start: protectedProcedure
    .input(importInput)
    .input(startInput)
    .mutation(async ({ ctx, input }) => {
      const started = await once(ctx, ({ db }) => start(db, ctx.viewer, input))
      ctx.services.imports.runSoon()
      return started
    }),

  cancel: protectedProcedure.input(importInput).mutation(async ({ ctx, input }) => {
    const cancelled = await once(ctx, ({ db }) => cancel(db, ctx.viewer, input.importId), 'deletes')
    ctx.services.imports.tidySoon()
    return cancelled
  }),

  names: readsBoard.query(({ ctx }) => listNames(ctx.db, ctx.grant)),

  offerName: onBoard('change')
    .input(nameInput)
    .input(nameOffer)
    .mutation(async ({ ctx, input }) => {
      const offer = await grantOffer(ctx.db, ctx.grant, input)
      const asked = await findAsked(ctx.db, input.boardId, { nameIds: [input.nameId] })
      await offerName(ctx.db, offer)
      announceNames(ctx, [...asked.map(({ userId }) => userId), ...(input.userId === null ? [] : [input.userId])])
      return done
    }),

  answerName: onBoard('change')
    .input(nameInput)
    .input(nameAnswer)
    .mutation(async ({ ctx, input }) => {
      await answerNames(ctx.db, await grantAnswer(ctx.db, ctx.grant, [input.nameId]), input.isMine)
      if (input.isMine) await moveName(ctx, input, boardEvents({ kind: 'name_accepted', detail: {} }))
      else announceNames(ctx)
      return done
    }),

  declineNames: onBoard('change')
    .input(namesDeclined)
    .mutation(async ({ ctx, input }) => {
      await answerNames(ctx.db, await grantAnswer(ctx.db, ctx.grant, input.nameIds), false)
      announceNames(ctx)
      return done
    }),

  plankaBoards: asking.input(plankaAccess).mutation(({ ctx, input }) => plankaBoards(input, ctx.services.fetchOutside)),

  fromPlanka: asking.input(plankaBoard).mutation(({ ctx, input: { boardId, ...access } }) =>
    earlierOr(ctx, async () => {
      await assertFewOpen(ctx.db, ctx.viewer)
      const converted = await convertPlanka(access, boardId, ctx.services.fetchOutside)
      return prepareConverted(ctx.services, ctx.viewer, converted, new URL(access.url).host, (prepared) =>
        once(ctx, ({ db }) => addImport(db, ctx.viewer, prepared)),
      )
    }),
  ),
})

type Changed = Pick<TransactionContext, 'outbox'> & { grant: BoardGrant<'change'> }

/** The creator, the caller, and whoever is or was asked. */
function announceNames({ outbox, grant: { board, viewer } }: Changed, asked: number[] = []) {
  const names = { type: 'names_changed', to: 'user', payload: { boardId: board.id } } as const
  outbox.push(toUsers([board.createdBy, viewer.id, ...asked], names))
}
