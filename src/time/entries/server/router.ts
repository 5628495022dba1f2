import { z } from 'zod'
import type { AnnounceContext } from '../../../boards/server/announce'
import { memberIds } from '../../../boards/server/lookup'
import { readsBoard } from '../../../boards/server/procedures'
import { type NotifyContext, notify } from '../../../notifications/server/notify'
import { cursorAt, done, id, listPage } from '../../../schema'
import { forbidden } from '../../../server/errors'
import { mutation, router } from '../../../server/trpc'
import { taskInput } from '../../../tasks/schema'
import { grantTask } from '../../../tasks/server/grants'
import { readsTask } from '../../../tasks/server/procedures'
import { elapsedMs, roundedMinutes } from '../../timers/schema'
import { grantPausingRunning, grantStarting, type StartGrant } from '../../timers/server/grants'
import { pauseRunning, startTimer } from '../../timers/server/store'
import { boardEntriesCursor, boardEntriesPage, durationText, newTimeEntry, type TimeEntry, timeEntryChanges } from '../schema'
import { announceDeletedEntry, announceEntry, entryChange } from './announceEntry'
import { grantEntry, grantResuming, type ResumeGrant } from './grants'
import { databaseNow } from './lookup'
import { deleteEntry, listBoardEntries, listTaskEntries, logWork, updateEntry } from './store'

const entryInput = z.object({ entryId: id })

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
      const now = () => databaseNow(ctx.db)
      if (input.status === 'completed') {
        const grant = await grantTask(ctx.db, ctx.viewer, input.taskId, 'change')
        const entry = await logWork(ctx.db, grant, input, await now())
        await announceEntry(ctx, grant, entry, 'time_entry_added', 'logged')
        if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'logged')
        return entry
      }
      const grant = await grantStarting(ctx.db, ctx.viewer, input.taskId)
      const startedAt = await now()
      await pauseOther(ctx, grant, startedAt)
      const entry = await startTimer(ctx.db, grant, input, startedAt)
      await announceEntry(ctx, grant, entry, 'time_entry_added')
      if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'started')
      return entry
    }),

  update: mutation
    .input(entryInput)
    .input(timeEntryChanges)
    .mutation(async ({ ctx, input }) => {
      const { entryId, ...changes } = input
      const fields = Object.keys(changes)
      const resumes = changes.status === 'ACTIVE' ? await grantResuming(ctx.db, ctx.viewer, entryId, fields) : null
      const grant = resumes ?? (await grantEntry(ctx.db, ctx.viewer, entryId, changes.status, fields))
      const now = await databaseNow(ctx.db)
      if (grant.isLocked && (changes.duration ?? 0) > roundedMinutes(elapsedMs(grant.entry, now))) throw forbidden(NOT_LONGER)
      if (resumes) await pauseOther(ctx, resumes, now, entryId)
      const entry = await updateEntry(ctx.db, grant, changes, now)
      if (!entry) return grant.entry
      const change = entryChange(grant.entry, entry)
      await announceEntry(ctx, grant, entry, 'time_entry_updated', change)
      if (input.notify) await notifyMembers({ ...ctx, grant }, entry, change === 'logged' ? 'logged' : 'corrected')
      return entry
    }),

  delete: mutation
    .input(entryInput)
    .meta({ deletes: true })
    .mutation(async ({ ctx, input }) => {
      const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId)
      await deleteEntry(ctx.db, grant)
      await announceDeletedEntry(ctx, grant, grant.entry)
      return done
    }),
})

const NOT_LONGER = 'On a locked board a timer stops with no more than it counted.'

async function pauseOther(ctx: AnnounceContext, grant: StartGrant | ResumeGrant, now: number, exceptEntryId?: number) {
  const running = await grantPausingRunning(ctx.db, grant, exceptEntryId)
  if (running) await announceEntry(ctx, running, await pauseRunning(ctx.db, running, now))
}

async function notifyMembers(ctx: NotifyContext, entry: TimeEntry, kind: 'logged' | 'started' | 'corrected') {
  const amount = entry.status === 'completed' ? durationText(entry.duration) : ''
  const detail = [amount, entry.note].filter((line) => line !== null).join('\n')
  await notify(ctx, kind, await memberIds(ctx.db, ctx.grant.board.id), { detail, timeEntryId: entry.id })
}
