import { setImmediate } from 'node:timers/promises'
import { readsBoard } from '../../../boards/server/procedures'
import { createSemaphore } from '../../../server/concurrency'
import { badRequest } from '../../../server/errors'
import { router } from '../../../server/trpc'
import { displayName } from '../../../users/schema'
import { readPricing } from '../../rates/server/store'
import { PRINTED_MAX, type Statement, statementFilter } from '../../report/schema'
import { type ExportRow, exportedIds, readExportRows } from './store'

export const exportRouter = router({
  statement: readsBoard.input(statementFilter).query(async ({ ctx, input, path }): Promise<Statement> => {
    if (ctx.batch.filter((one) => one === path).length > 1) throw badRequest('Ask for one statement at a time.')
    const { rounding, boardId, ...filter } = input
    const pricing = await readPricing(ctx.db, ctx.grant, rounding)
    const release = acquireStatement(ctx.viewer.id)
    try {
      const ids = await exportedIds(ctx.db, ctx.grant, { filter }, { limit: PRINTED_MAX + 1 })
      const rows: Statement['rows'] = []
      for (let from = 0; from < Math.min(ids.length, PRINTED_MAX); from += PAGE_ROWS) {
        const page = await readExportRows(ctx.db, ctx.grant, pricing, ids.slice(from, Math.min(from + PAGE_ROWS, PRINTED_MAX)))
        rows.push(...page.map(toStatementRow))
        await setImmediate()
      }
      return { amounts: pricing.amounts, more: ids.length > PRINTED_MAX, rows }
    } finally {
      release()
    }
  }),
})

const PAGE_ROWS = 500

/** Up to ten megabytes each. */
const acquireStatement = createSemaphore({ perUser: 1, total: 10 }, 'This is being printed already.')

const toStatementRow = ({ username, name, ...row }: ExportRow): Statement['rows'][number] => ({
  ...row,
  user: displayName({ username, name }),
})
