import { z } from 'zod'
import { id } from '../../../schema'
import { conflict } from '../../../server/errors'
import { mutation, protectedProcedure, router } from '../../../server/trpc'
import { type OwnTimers, STOPPED } from '../../entries/schema'
import { announceEntry } from '../../entries/server/announceEntry'
import { grantEntry } from '../../entries/server/grants'
import { databaseNow } from '../../entries/server/lookup'
import { confirmTimer, listTimers } from './store'

export const timersRouter = router({
  /** One's own timers, wherever they are. */
  timers: protectedProcedure.query(async ({ ctx }): Promise<OwnTimers> => {
    const timers = await listTimers(ctx.db, ctx.viewer)
    return { now: new Date(await databaseNow(ctx.db)).toISOString(), timers }
  }),

  /** Says that one still works: all that the timer has counted was work. */
  confirm: mutation.input(z.object({ entryId: id })).mutation(async ({ ctx, input }) => {
    const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId, 'confirmed')
    const entry = await confirmTimer(ctx.db, grant, await databaseNow(ctx.db))
    if (!entry) throw conflict(STOPPED)
    await announceEntry(ctx, grant, entry)
    return entry
  }),
})
