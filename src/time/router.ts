import { z } from 'zod'
import { cursorAt, done, id, part } from '../inputs'
import { notify } from '../notifications/telling'
import { conflict } from '../server/errors'
import { type EntryGrant, grantEntry, grantStarting, grantTask, type StartGrant, type TaskGrant } from '../server/grants'
import { acting, announcing, type Parts, readsBoard, readsTask, router, signedIn, type Within } from '../server/trpc'
import {
  boardPart,
  cursorAfter,
  durationText,
  newTimeEntry,
  type OwnTimers,
  type Report,
  reportPage,
  STOPPED,
  type TimeEntry,
  timeEntryChanges,
} from './inputs'
import { readPage } from './report/store'
import { clock, deleteEntry, listOfBoard, listOfTask, logWork, minutesOf, otherMembers, updateEntry } from './store'
import { deed, tellEntry } from './telling'
import { confirmTimer, listTimers, restRunning, startTimer } from './timers/store'

const ofTask = z.object({ taskId: id })
const ofEntry = z.object({ entryId: id })

export const timeRouter = router({
  ofTask: readsTask.input(part).query(async ({ ctx, input }) => {
    const { entries, more } = await listOfTask(ctx.db, ctx.grant, input)
    const last = entries.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', cursorAt(last.startTime, last.id))
    return entries
  }),

  ofBoard: readsBoard.input(boardPart).query(async ({ ctx, input }) => {
    const { entries, more } = await listOfBoard(ctx.db, ctx.grant, input)
    const last = entries.at(-1)
    if (more && last) ctx.headers.set('X-Next-Cursor', cursorAfter(last))
    return entries
  }),

  /** A page beyond the last one is the last one: entries may have been deleted. */
  report: readsBoard.input(reportPage).query(async ({ ctx, input: { page: asked, pageSize, ...filter } }): Promise<Report> => {
    const sums = await ctx.parts.sums(ctx.db, ctx.grant, filter)
    const page = Math.min(asked, Math.max(1, Math.ceil(sums.entries / pageSize)))
    return { ...sums, page, rows: await readPage(ctx.db, ctx.grant, filter, page, pageSize) }
  }),

  /** One's own timers, wherever they are. */
  timers: signedIn.query(async ({ ctx }): Promise<OwnTimers> => {
    const timers = await listTimers(ctx.db, ctx.viewer)
    return { now: new Date(await clock(ctx.db)).toISOString(), timers }
  }),

  /** Logs work, or starts a timer, which pauses the one that runs (contract.md, section 4). */
  create: acting
    .input(ofTask)
    .input(newTimeEntry)
    .mutation(async ({ ctx, input }) => {
      if (input.status === 'completed') {
        const grant = await grantTask(ctx.db, ctx.viewer, input.taskId, 'change')
        const entry = await logWork(ctx.db, grant, input, await clock(ctx.db))
        await tellEntry(ctx, entry, 'time_entry_added', 'logged')
        if (input.notify) await tellMembers({ ...ctx, grant }, entry, 'logged')
        return entry
      }
      const grant = await grantStarting(ctx.db, ctx.viewer, input.taskId)
      const now = await clock(ctx.db)
      const rests = await restRunning(ctx.db, grant, now)
      if (rests) await tellEntry(ctx, rests)
      const entry = await startTimer(ctx.db, grant, input, now)
      await tellEntry(ctx, entry, 'time_entry_added')
      if (input.notify) await tellMembers({ ...ctx, grant }, entry, 'started')
      return entry
    }),

  update: acting
    .input(ofEntry)
    .input(timeEntryChanges)
    .mutation(async ({ ctx, input }) => {
      const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId, input.status)
      const now = await clock(ctx.db)
      const rests = input.status === 'ACTIVE' ? await restRunning(ctx.db, grant, now, grant.entry.id) : null
      if (rests) await tellEntry(ctx, rests)
      const entry = await updateEntry(ctx.db, grant, input, now)
      if (!entry) return grant.entry
      const isDone = entry.status === 'completed'
      const isLogged = isDone && grant.entry.status !== 'completed'
      const isOtherTime = entry.duration !== grant.entry.duration || entry.day !== grant.entry.day
      await tellEntry(ctx, entry, 'time_entry_updated', isLogged ? 'logged' : isDone && isOtherTime ? 'changed' : null)
      if (input.notify) await tellMembers({ ...ctx, grant }, entry, isLogged ? 'logged' : 'corrected')
      return entry
    }),

  /** Says that one still works: all that the timer has counted was work. */
  confirm: acting.input(ofEntry).mutation(async ({ ctx, input }) => {
    const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId, 'confirmed')
    const entry = await confirmTimer(ctx.db, grant, await clock(ctx.db))
    if (!entry) throw conflict(STOPPED)
    await tellEntry(ctx, entry)
    return entry
  }),

  delete: acting.input(ofEntry).mutation(async ({ ctx, input }) => {
    const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId)
    const { id: entryId, taskId, boardId, status } = grant.entry
    await deleteEntry(ctx.db, grant)
    const minutes = await minutesOf(ctx.db, taskId)
    const change = { type: 'time_entry_deleted', payload: { taskId, entryId, minutes } } as const
    await announcing(ctx, boardId)(change, deed(grant.entry, status === 'completed' ? 'removed' : null), [ctx.viewer.id])
    return done
  }),
})

type Telling = Within & { parts: Parts; grant: TaskGrant<'change'> | StartGrant | EntryGrant }

/** Tells the other members, as its owner wished. */
async function tellMembers(telling: Telling, entry: TimeEntry, kind: 'logged' | 'started' | 'corrected') {
  const amount = entry.status === 'completed' ? durationText(entry.duration) : ''
  const detail = [amount, entry.note].filter((line) => line !== null).join('\n')
  await notify(telling, kind, await otherMembers(telling.db, telling.grant), { detail, timeEntryId: entry.id })
}
