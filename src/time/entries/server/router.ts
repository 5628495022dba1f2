import { memberIds } from '../../../boards/server/lookup'
import { readsBoard } from '../../../boards/server/procedures'
import { type NotifyContext, notify } from '../../../notifications/server/notify'
import { cursorAt, done, listPage } from '../../../schema'
import { forbidden } from '../../../server/errors'
import { mutation, router } from '../../../server/trpc'
import { taskInput } from '../../../tasks/schema'
import { grantRow, grantTask } from '../../../tasks/server/grants'
import { readsTask } from '../../../tasks/server/procedures'
import { elapsedMs, roundedMinutes } from '../../timers/schema'
import { grantPausingRunning, grantStarting } from '../../timers/server/grants'
import { momentsOf } from '../../timers/server/lookup'
import { pauseForDeletion, pauseRunning, startTimer } from '../../timers/server/store'
import { boardEntriesCursor, boardEntriesPage, durationText, newTimeEntry, type TimeEntry } from '../schema'
import { announceDeletedEntry, announceEntry, entryChange } from './announceEntry'
import { databaseNow } from './lookup'
import { changesEntry, entryInput, onEntry } from './procedures'
import { deleteEntry, listBoardEntries, listTaskEntries, logWork, restoreEntry, updateEntry } from './store'

export const entriesRouter = router({
  ofTask: readsTask.input(listPage).query(async ({ ctx, input }) => {
    const { entries, more } = await listTaskEntries(ctx.db, ctx.grant, input)
    const last = entries.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', cursorAt(last.startTime, last.id))
    return entries
  }),

  ofBoard: readsBoard.input(boardEntriesPage).query(async ({ ctx, input }) => {
    const { entries, more } = await listBoardEntries(ctx.db, ctx.grant, input)
    const last = entries.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', boardEntriesCursor(last))
    return entries
  }),

  create: mutation
    .input(taskInput)
    .input(newTimeEntry)
    .mutation(async ({ ctx, input }) => {
      if (input.status === 'completed') {
        const grant = await grantTask(ctx.db, ctx.viewer, input.taskId, 'change')
        const entry = await logWork(ctx.db, grant, input, await databaseNow(ctx.db))
        await announceEntry(ctx, grant, entry, 'time_entry_added', 'logged')
        if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'logged')
        return entry
      }
      const grant = await grantStarting(ctx.db, ctx.viewer, input.taskId)
      const running = await grantPausingRunning(ctx.db, grant)
      const { at } = await momentsOf(ctx.db, input.at, [running?.entry])
      if (running) await announceEntry(ctx, running, await pauseRunning(ctx.db, running, at))
      const entry = await startTimer(ctx.db, grant, input, at)
      await announceEntry(ctx, grant, entry, 'time_entry_added')
      if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'started')
      return entry
    }),

  update: changesEntry.mutation(async ({ ctx }) => {
    const { grant, resumes, changes } = ctx
    const running = resumes && (await grantPausingRunning(ctx.db, resumes, grant.entry.id))
    const moments = await momentsOf(ctx.db, changes.status && changes.at, [grant.entry, running?.entry])
    if (grant.isLocked && (changes.duration ?? 0) > roundedMinutes(elapsedMs(grant.entry, moments.at)))
      throw forbidden(NOT_LONGER)
    if (running) await announceEntry(ctx, running, await pauseRunning(ctx.db, running, moments.at))
    const entry = await updateEntry(ctx.db, grant, changes, moments)
    if (!entry) return grant.entry
    const change = entryChange(grant.entry, entry)
    await announceEntry(ctx, grant, entry, 'time_entry_updated', change)
    if (changes.notify) await notifyMembers(ctx, entry, change === 'logged' ? 'logged' : 'corrected')
    return entry
  }),

  delete: onEntry.meta({ deletes: true }).mutation(async ({ ctx }) => {
    if (ctx.grant.entry.status === 'ACTIVE') await pauseForDeletion(ctx.db, [ctx.grant], await databaseNow(ctx.db))
    await deleteEntry(ctx.db, ctx.grant)
    await announceDeletedEntry(ctx, ctx.grant, ctx.grant.entry)
    return done
  }),

  restore: mutation
    .meta({ restores: true })
    .input(entryInput)
    .mutation(async ({ ctx, input }) => {
      const grant = await grantRow(ctx.db, ctx.viewer, 'entry', input.entryId)
      const entry = await restoreEntry(ctx.db, grant)
      await announceEntry(ctx, grant, entry, 'time_entry_added', entry.status === 'completed' ? 'logged' : null)
      return entry
    }),
})

const NOT_LONGER = 'On a locked board a timer stops with no more than it counted.'

async function notifyMembers(ctx: NotifyContext, entry: TimeEntry, kind: 'logged' | 'started' | 'corrected') {
  const amount = entry.status === 'completed' ? durationText(entry.duration) : ''
  const detail = [amount, entry.note].filter((line) => line !== null).join('\n')
  await notify(ctx, kind, await memberIds(ctx.db, ctx.grant.board.id), { detail, timeEntryId: entry.id })
}
