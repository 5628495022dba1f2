import { firstWeekday } from '../../days'
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
  get('/api/today', 'get', 'Your assigned tasks, including those done today, your hours this week, and your boards', today),
]

export const todayDomain = { router: todayRouter, rest: todayRest, shapes: { Today: today } }
