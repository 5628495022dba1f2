import { readsBoard } from '../../../boards/server/procedures'
import { router } from '../../../server/trpc'
import { pricesFor } from '../../rates/server/store'
import { type Report, reportPage } from '../schema'
import { readPage } from './store'

export const reportRouter = router({
  /** A page beyond the last one is the last one: entries may have been deleted. */
  report: readsBoard.input(reportPage).query(async ({ ctx, input }): Promise<Report> => {
    const { page: asked, pageSize, rounding, boardId: _, ...filter } = input
    const prices = await pricesFor(ctx.db, ctx.grant, rounding)
    const sums = await ctx.services.reportSums(ctx.db, ctx.grant, filter, prices)
    const page = Math.min(asked, Math.max(1, Math.ceil(sums.entries / pageSize)))
    return { ...sums, page, rows: await readPage(ctx.db, ctx.grant, { prices, filter, page, pageSize }) }
  }),
})
