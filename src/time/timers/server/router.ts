import { z } from 'zod'
import { id } from '../../../schema'
import { conflict } from '../../../server/errors'
import { mutation, reading, router } from '../../../server/trpc'
import { announceEntry } from '../../entries/server/announceEntry'
import { grantEntry } from '../../entries/server/grants'
import { databaseNow } from '../../entries/server/lookup'
import { ALREADY_STOPPED, type OwnTimers } from '../schema'
import { confirmTimer, listTimers } from './store'

export const timersRouter = router({
  timers: reading.query(async ({ ctx }): Promise<OwnTimers> => {
    const timers = await listTimers(ctx.db, ctx.viewer)
    return { now: new Date(await databaseNow(ctx.db)).toISOString(), timers }
  }),

  confirm: mutation
    .meta({ unmetered: true })
    .input(z.object({ entryId: id }))
    .mutation(async ({ ctx, input }) => {
      const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId, 'confirmed')
      const entry = await confirmTimer(ctx.db, grant, await databaseNow(ctx.db))
      if (!entry) throw conflict(ALREADY_STOPPED)
      await announceEntry(ctx, grant, entry)
      return entry
    }),
})
