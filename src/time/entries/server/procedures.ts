import { z } from 'zod'
import { id } from '../../../schema'
import { assertMatch } from '../../../server/etag'
import { mutation } from '../../../server/trpc'
import { timeEntryChanges } from '../schema'
import { grantEntry, grantResuming } from './grants'

export const entryInput = z.object({ entryId: id })

export const onEntry = mutation
  .meta({ matches: true })
  .input(entryInput)
  .use(async ({ ctx, input, next }) => {
    const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId)
    assertMatch(ctx, grant.entry)
    return next({ ctx: { grant } })
  })

/** `resumes` is the grant where a timer begins to run, which takes more locks. */
export const changesEntry = mutation
  .meta({ matches: true })
  .input(entryInput)
  .input(timeEntryChanges)
  .use(async ({ ctx, input: { entryId, ...changes }, next }) => {
    const fields = Object.keys(changes)
    const resumes = changes.status === 'ACTIVE' ? await grantResuming(ctx.db, ctx.viewer, entryId, fields) : null
    const grant = resumes ?? (await grantEntry(ctx.db, ctx.viewer, entryId, changes.status, fields))
    assertMatch(ctx, grant.entry)
    return next({ ctx: { grant, resumes, changes } })
  })
