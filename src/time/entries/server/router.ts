import { z } from 'zod'
import { notify } from '../../../notifications/server/notify'
import { cursorAt, done, id, part } from '../../../schema'
import { conflict, forbidden } from '../../../server/errors'
import { type EntryGrant, grantEntry, grantStarting, grantTask, type StartGrant, type TaskGrant } from '../../../server/grants'
import { userTopic } from '../../../server/live/hub'
import {
  acting,
  announcing,
  onBoard,
  type Parts,
  readsBoard,
  readsTask,
  router,
  signedIn,
  type Within,
} from '../../../server/trpc'
import { displayName } from '../../../users/schema'
import { exportedIds, type Invoiced, readInvoiced } from '../../export/server/store'
import { rateChange } from '../../rates/schema'
import { pricesFor, readRates, setRate } from '../../rates/server/store'
import { PRINTED_MAX, type Report, reportPage, type Statement, statementFilter } from '../../report/schema'
import { readPage } from '../../report/server/store'
import { confirmTimer, listTimers, restRunning, startTimer } from '../../timers/server/store'
import {
  boardPart,
  countedBy,
  cursorAfter,
  durationText,
  newTimeEntry,
  type OwnTimers,
  roundedMinutes,
  STOPPED,
  type TimeEntry,
  timeEntryChanges,
} from '../schema'
import { deed, tellEntry } from './announceEntry'
import { clock, deleteEntry, listOfBoard, listOfTask, logWork, minutesOf, otherMembers, updateEntry } from './store'

const ofTask = z.object({ taskId: id })
const ofPerson = z.object({ userId: id })
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
  report: readsBoard.input(reportPage).query(async ({ ctx, input }): Promise<Report> => {
    const { page: asked, pageSize, rounding, boardId: _, ...filter } = input
    const prices = await pricesFor(ctx.db, ctx.grant, rounding)
    const sums = await ctx.parts.sums(ctx.db, ctx.grant, filter, prices)
    const page = Math.min(asked, Math.max(1, Math.ceil(sums.entries / pageSize)))
    return { ...sums, page, rows: await readPage(ctx.db, ctx.grant, { prices, filter, page, pageSize }) }
  }),

  /** All that the filter lets through, to be printed. */
  statement: readsBoard.input(statementFilter).query(async ({ ctx, input }): Promise<Statement> => {
    const { rounding, boardId: _, ...filter } = input
    const prices = await pricesFor(ctx.db, ctx.grant, rounding)
    const ids = await exportedIds(ctx.db, ctx.grant, { filter }, { atMost: PRINTED_MAX + 1 })
    const rows = await readInvoiced(ctx.db, ctx.grant, prices, ids.slice(0, PRINTED_MAX))
    return { amounts: prices.amounts, more: ids.length > PRINTED_MAX, rows: rows.map(printed) }
  }),

  /** The hourly rates that one may see: the creator all, others their own. */
  rates: readsBoard.query(({ ctx }) => readRates(ctx.db, ctx.grant)),

  /** What an hour of someone's work costs from a day on. Only those who may see it hear that it changed. */
  setRate: onBoard('rate')
    .input(ofPerson)
    .input(rateChange)
    .mutation(async ({ ctx, input }) => {
      const told = await setRate(ctx.db, ctx.grant, input)
      const message = { type: 'rate_changed', payload: { boardId: input.boardId } } as const
      ctx.outbox.push({ do: 'publish', topics: [...new Set(told)].map(userTopic), message })
      return readRates(ctx.db, ctx.grant)
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
      const { entryId, ...changes } = input
      const grant = await grantEntry(ctx.db, ctx.viewer, entryId, changes.status, Object.keys(changes))
      const now = await clock(ctx.db)
      if (grant.isLocked && (changes.duration ?? 0) > roundedMinutes(countedBy(grant.entry, now))) throw forbidden(NOT_LONGER)
      const rests = input.status === 'ACTIVE' ? await restRunning(ctx.db, grant, now, grant.entry.id) : null
      if (rests) await tellEntry(ctx, rests)
      const entry = await updateEntry(ctx.db, grant, changes, now)
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

const NOT_LONGER = 'On a locked board a timer stops with no more than it counted.'

const printed = ({ username, name, ...row }: Invoiced): Statement['rows'][number] => ({
  ...row,
  user: displayName({ username, name }),
})

type Telling = Within & { parts: Parts; grant: TaskGrant<'change'> | StartGrant | EntryGrant }

/** Tells the other members, as its owner wished. */
async function tellMembers(telling: Telling, entry: TimeEntry, kind: 'logged' | 'started' | 'corrected') {
  const amount = entry.status === 'completed' ? durationText(entry.duration) : ''
  const detail = [amount, entry.note].filter((line) => line !== null).join('\n')
  await notify(telling, kind, await otherMembers(telling.db, telling.grant), { detail, timeEntryId: entry.id })
}
