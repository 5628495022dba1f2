import { readsBoard } from '../../../boards/server/procedures'
import { router } from '../../../server/trpc'
import { displayName } from '../../../users/schema'
import { pricesFor } from '../../rates/server/store'
import { PRINTED_MAX, type Statement, statementFilter } from '../../report/schema'
import { exportedIds, type Invoiced, readInvoiced } from './store'

export const exportRouter = router({
  /** All that the filter lets through, to be printed. */
  statement: readsBoard.input(statementFilter).query(async ({ ctx, input }): Promise<Statement> => {
    const { rounding, boardId: _, ...filter } = input
    const prices = await pricesFor(ctx.db, ctx.grant, rounding)
    const ids = await exportedIds(ctx.db, ctx.grant, { filter }, { atMost: PRINTED_MAX + 1 })
    const rows = await readInvoiced(ctx.db, ctx.grant, prices, ids.slice(0, PRINTED_MAX))
    return { amounts: prices.amounts, more: ids.length > PRINTED_MAX, rows: rows.map(printed) }
  }),
})

const printed = ({ username, name, ...row }: Invoiced): Statement['rows'][number] => ({
  ...row,
  user: displayName({ username, name }),
})
