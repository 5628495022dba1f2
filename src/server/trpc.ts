import { initTRPC } from '@trpc/server'
import { createUserQueues } from './concurrency'
import type { Context } from './context'
import { explain } from './errors'
import { countCall } from './rateLimits'
import { requireSignedIn } from './signedIn'
import { inTransaction } from './transaction'

/** What `deletes` passes while the disk is nearly full: it makes room, or ends somebody's access. */
type Meta = { needsSession?: true; deletes?: true }

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error }) {
      const { status, body } = explain(error)
      return { ...shape, message: body.message, data: { ...body, httpStatus: status } }
    },
  })

export const router = t.router
export const mergeRouters = t.mergeRouters
export const createCallerFactory = t.createCallerFactory

export const publicProcedure = t.procedure.use(async ({ ctx, next }) => {
  await countCall(ctx.services, ctx.session)
  return next({ ctx: { db: ctx.services.db } })
})

export const protectedProcedure = publicProcedure.meta({ needsSession: true }).use(({ ctx, next }) => {
  const viewer = requireSignedIn(ctx.session)
  // requireSignedIn has checked it.
  return next({ ctx: { viewer, session: ctx.session as NonNullable<typeof ctx.session> } })
})

const enqueueReading = createUserQueues(4)

export const reading = protectedProcedure.use(({ ctx, next }) => enqueueReading(ctx.viewer.id, () => next()))

export const mutation = protectedProcedure.use(({ ctx, meta, next }) =>
  inTransaction(ctx, async (transaction) => rethrown(await next({ ctx: transaction })), meta?.deletes && 'deletes'),
)

// tRPC returns a failure as a value; throwing it rolls the transaction back.
function rethrown<Result extends { ok: true } | { ok: false; error: Error }>(result: Result): Result {
  if (!result.ok) throw result.error
  return result
}
