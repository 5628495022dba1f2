import { firstWeekday } from '../../basics'
import { restCalls } from '../../server/rest'
import { reading, router } from '../../server/trpc'
import { type Today, today, whose } from '../schema'
import { dayAround, readToday } from './store'

const todayRouter = router({
  get: reading
    .input(whose)
    .query(
      ({ ctx, input }): Promise<Today> =>
        readToday(ctx.db, ctx.viewer, dayAround(new Date(), input.timeZone), firstWeekday(ctx.viewer.weekStartsOn, ctx.language)),
    ),
})

const { get } = restCalls('today', todayRouter)

const todayRest = [
  get(
    '/api/today',
    'get',
    "The tasks that one is assigned to, those done today among them, the hours that one worked this week, and one's boards",
    today,
  ),
]

export const todayDomain = { router: todayRouter, rest: todayRest, shapes: { Today: today } }
