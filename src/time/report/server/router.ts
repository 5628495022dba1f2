import { readsBoard } from '../../../boards/server/procedures'
import { createUserQueues } from '../../../server/concurrency'
import { router } from '../../../server/trpc'
import { readPricing } from '../../rates/server/store'
import { type Report, reportPage } from '../schema'
import { readPage, readTotals } from './store'

/** Sums read every entry: one at a time for each viewer. */
const enqueue = createUserQueues(1)

export const reportRouter = router({
  report: readsBoard.input(reportPage).query(async ({ ctx, input }): Promise<Report> => {
    const { page: requested, pageSize, rounding, boardId, ...filter } = input
    const pricing = await readPricing(ctx.db, ctx.grant, rounding)
    const totals = await enqueue(ctx.viewer.id, () => readTotals(ctx.db, ctx.grant, filter, pricing))
    // Entries may have been deleted since the page was chosen.
    const page = Math.min(requested, Math.max(1, Math.ceil(totals.entries / pageSize)))
    return { ...totals, page, rows: await readPage(ctx.db, ctx.grant, { ...totals, pricing, filter, page, pageSize }) }
  }),
})
