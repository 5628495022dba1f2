import { firstWeekday } from '../../../basics'
import { badRequest } from '../../../server/errors'
import { reading, router } from '../../../server/trpc'
import { dayIn } from '../../entries/server/calendarDay'
import { databaseNow } from '../../entries/server/lookup'
import { daysOf, type MyTime, myTimeFilter, NO_DAYS } from '../schema'
import { listMine, tasksOfMine } from './store'

export const mineRouter = router({
  mine: reading.input(myTimeFilter).query(async ({ ctx, input }): Promise<MyTime> => {
    const now = new Date(await databaseNow(ctx.db))
    const today = dayIn(now, input.timeZone)
    const days = daysOf(input, today, firstWeekday(ctx.viewer.weekStartsOn, ctx.language))
    if (!days) throw badRequest(NO_DAYS)
    const { entries, more } = await listMine(ctx.db, ctx.viewer, days)
    return { now: now.toISOString(), today, ...days, entries, more, tasks: await tasksOfMine(ctx.db, ctx.viewer, days) }
  }),
})
