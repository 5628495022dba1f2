import { createUserQueues } from '../../server/concurrency'
import { reading, router } from '../../server/trpc'
import { findInput } from '../schema'
import { find } from './store'

/** A search may take a while on boards with much text; those of others come in between. */
const enqueue = createUserQueues(1)

export const finderRouter = router({
  find: reading.input(findInput).query(({ ctx, input }) => enqueue(ctx.viewer.id, () => find(ctx.db, ctx.viewer, input.text))),
})
