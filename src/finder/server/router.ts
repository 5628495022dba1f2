import { createUserQueues } from '../../server/concurrency'
import { restCalls } from '../../server/rest'
import { protectedProcedure, router } from '../../server/trpc'
import { findInput, found } from '../schema'
import { find } from './store'

/** A search may take a while on boards with much text: what others ask comes in between, and whatever else one reads. */
const enqueue = createUserQueues(1)

export const finderRouter = router({
  find: protectedProcedure.input(findInput).query(async ({ ctx, input }) => {
    await ctx.services.limits.consume('searches', `user ${ctx.viewer.id}`)
    return enqueue(ctx.viewer.id, () => find(ctx.db, ctx.viewer, input.text))
  }),
})

const { get } = restCalls('finder', finderRouter)

export const finderRest = [
  get('/api/find', 'find', 'Boards, tasks, comments and people that one may see, by words or what is like them', found),
]
