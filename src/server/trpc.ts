import { initTRPC } from '@trpc/server'
import { createUserQueues } from './concurrency'
import type { Context } from './context'
import { explain } from './errors'
import { assertNoMatch } from './etag'
import { countCall } from './rateLimits'
import { requireSignedIn } from './signedIn'
import { once, type TransactionContext, type TransactionKind } from './transaction'

/** `matches`: the builder compares the row's ETag. */
export type Meta = { needsSession?: true; matches?: true; kind?: TransactionKind }

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

export const publicProcedure = t.procedure.use(async ({ ctx, meta, next }) => {
  if (!meta?.matches) assertNoMatch(ctx)
  await countCall(ctx.services, ctx.session)
  return next({ ctx: { db: ctx.services.db } })
})

export const protectedProcedure = publicProcedure.meta({ needsSession: true }).use(({ ctx, next }) => {
  const session = requireSignedIn(ctx.session)
  return next({ ctx: { session, viewer: session.user } })
})

const enqueueReading = createUserQueues(4)

export const reading = protectedProcedure.use(({ ctx, next }) => enqueueReading(ctx.viewer.id, () => next()))

export const mutation = protectedProcedure.use(async ({ ctx, meta, next }) => {
  const call = async (transaction: TransactionContext) => rethrown(await next({ ctx: transaction }))
  type Result = Awaited<ReturnType<typeof call>>
  let result: Result | undefined
  const data = await once(
    ctx,
    async (transaction) => {
      result = await call(transaction)
      return result.data
    },
    meta?.kind,
  )
  // An earlier answer. tRPC's type also has a brand, which exists only for the compiler.
  return result ?? ({ ok: true, data } as Result)
})

// tRPC returns a failure as a value; throwing it rolls the transaction back.
function rethrown<Result extends { ok: true } | { ok: false; error: Error }>(result: Result): Extract<Result, { ok: true }> {
  if (!result.ok) throw result.error
  return result as Extract<Result, { ok: true }>
}
