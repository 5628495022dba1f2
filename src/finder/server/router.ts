import { reading, router } from '../../server/trpc'
import { findInput } from '../schema'
import { find } from './store'

export const finderRouter = router({
  find: reading.input(findInput).query(({ ctx, input }) => find(ctx.db, ctx.viewer, input.text)),
})
