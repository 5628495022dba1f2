import { firstWeekday } from '../../basics'
import { reading, router } from '../../server/trpc'
import { type Today, whose } from '../schema'
import { dayAround } from './day'
import { readToday } from './store'

export const todayRouter = router({
  get: reading
    .input(whose)
    .query(
      ({ ctx, input }): Promise<Today> =>
        readToday(ctx.db, ctx.viewer, dayAround(new Date(), input.timeZone), firstWeekday(ctx.viewer.weekStartsOn, ctx.language)),
    ),
})
