import { createUserQueues } from '../../server/concurrency'
import { restCalls } from '../../server/rest'
import { protectedProcedure, router } from '../../server/trpc'
import { findInput, found } from '../schema'
import { find } from './store'

/** One search of a user at a time: it may take a while. */
const enqueue = createUserQueues(1)

const finderRouter = router({
  find: protectedProcedure.input(findInput).query(async ({ ctx, input }) => {
    await ctx.services.limits.consume('searches', `user ${ctx.viewer.id}`)
    return enqueue(ctx.viewer.id, () => find(ctx.db, ctx.viewer, input.text))
  }),
})

const { get } = restCalls('finder', finderRouter)

const finderRest = [
  get(
    '/api/find',
    'find',
    'Search boards, tasks, comments and people that you can see, best matches first; tolerates typos',
    found,
  ),
]

export const finderDomain = { router: finderRouter, rest: finderRest, shapes: { Found: found } }
