import { z } from 'zod'
import { onBoard, readsBoard } from '../../../boards/server/procedures'
import { id } from '../../../schema'
import { toUsers } from '../../../server/live/hub'
import { router } from '../../../server/trpc'
import { rateChange } from '../schema'
import { readRates, setRate } from './store'

export const ratesRouter = router({
  rates: readsBoard.query(({ ctx }) => readRates(ctx.db, ctx.grant)),

  setRate: onBoard('rate')
    .input(z.object({ userId: id }))
    .input(rateChange)
    .mutation(async ({ ctx, input }) => {
      const readers = await setRate(ctx.db, ctx.grant, input)
      ctx.outbox.push(toUsers(readers, { type: 'rate_changed', to: 'user', payload: { boardId: input.boardId } }))
      return readRates(ctx.db, ctx.grant)
    }),
})
