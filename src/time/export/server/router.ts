import { readsBoard } from '../../../boards/server/procedures'
import { router } from '../../../server/trpc'
import { displayName } from '../../../users/schema'
import { readPricing } from '../../rates/server/store'
import { PRINTED_MAX, type Statement, statementFilter } from '../../report/schema'
import { type ExportRow, exportedIds, readExportRows } from './store'

export const exportRouter = router({
  statement: readsBoard.input(statementFilter).query(async ({ ctx, input }): Promise<Statement> => {
    const { rounding, boardId, ...filter } = input
    const pricing = await readPricing(ctx.db, ctx.grant, rounding)
    const ids = await exportedIds(ctx.db, ctx.grant, { filter }, { limit: PRINTED_MAX + 1 })
    const rows = await readExportRows(ctx.db, ctx.grant, pricing, ids.slice(0, PRINTED_MAX))
    return { amounts: pricing.amounts, more: ids.length > PRINTED_MAX, rows: rows.map(toStatementRow) }
  }),
})

const toStatementRow = ({ username, name, ...row }: ExportRow): Statement['rows'][number] => ({
  ...row,
  user: displayName({ username, name }),
})
