import { initTRPC } from '@trpc/server'
import { createUserQueues } from './concurrency'
import type { Context } from './context'
import { explain } from './errors'
import { countCall } from './rateLimits'
import { requireSignedIn } from './session'
import { inTransaction } from './transaction'

/** What the API description says of a procedure; the builders set it, so that it is as they do. */
type Meta = { needsSession: true }

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

/** For everyone, without a transaction: for what is slow, such as hashing. Counts the calls of each user. */
export const publicProcedure = t.procedure.use(async ({ ctx, next }) => {
  await countCall(ctx.services, ctx.session)
  return next({ ctx: { db: ctx.services.db } })
})

/** For whoever is signed in; without a transaction. */
export const protectedProcedure = publicProcedure.meta({ needsSession: true }).use(({ ctx, next }) => {
  const viewer = requireSignedIn(ctx.session)
  // A viewer comes of a session, which TypeScript cannot see.
  return next({ ctx: { viewer, session: ctx.session as NonNullable<typeof ctx.session> } })
})

/** Each change waits for its board with a connection in hand: those of one person must not take them all. */
const enqueue = createUserQueues(4)

/** For whoever is signed in and changes something: one transaction. */
export const mutation = protectedProcedure.use(({ ctx, next }) =>
  enqueue(ctx.viewer.id, () => inTransaction(ctx.services, async (transaction) => rethrown(await next({ ctx: transaction })))),
)

// tRPC answers a failed procedure as a value; thrown on, it rolls the transaction back.
function rethrown<Result extends { ok: true } | { ok: false; error: Error }>(result: Result): Result {
  if (!result.ok) throw result.error
  return result
}
