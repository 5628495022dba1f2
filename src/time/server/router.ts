import { z } from 'zod'
import type { AnnounceContext } from '../../boards/server/announce'
import { memberIds } from '../../boards/server/lookup'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import { firstWeekday } from '../../days'
import { durationText } from '../../format'
import { type NotifyContext, notify, updateNotifiedNote } from '../../notifications/server/notify'
import { cursorAt, done } from '../../protocol'
import { id, listPage, success } from '../../schema'
import { createSemaphore, createUserQueues } from '../../server/concurrency'
import { badRequest, conflict, forbidden } from '../../server/errors'
import { assertMatch } from '../../server/etag'
import { toUsers } from '../../server/live/openSockets'
import { restCalls } from '../../server/rest'
import { mutation, reading, router } from '../../server/trpc'
import { taskInput } from '../../tasks/schema'
import { grantRow, grantTask } from '../../tasks/server/grants'
import { readsTask } from '../../tasks/server/procedures'
import { ALREADY_STOPPED, dayIn, elapsedMs, roundedMinutes } from '../limits'
import {
  boardEntriesCursor,
  boardEntriesPage,
  confirmation,
  daysOf,
  type MyTime,
  myTime,
  myTimeFilter,
  NO_DAYS,
  newTimeEntry,
  type OwnTimers,
  ownTimers,
  type Report,
  rateChange,
  rates,
  report,
  reportPage,
  type Statement,
  statement,
  statementFilter,
  type TimeEntry,
  timeEntry,
  timer,
  unstop,
} from '../schema'
import { readPricing } from './amounts.store'
import { readStatement } from './export.store'
import { grantEntry, grantPausingRunning, grantResuming, grantStarting, type ResumeGrant, type StartGrant } from './grants'
import { databaseNow, momentsOf } from './lookup'
import { announceDeletedEntry, announceEntry, changesEntry, entryChange, entryInput, onEntry } from './procedures'
import { readRates, setRate } from './rates.store'
import { readPage, readTotals } from './reports.store'
import { timeRoutes } from './routes'
import {
  deleteEntry,
  listBoardEntries,
  listMine,
  listTaskEntries,
  logWork,
  restoreEntry,
  tasksOfMine,
  updateEntry,
} from './store'
import { confirmTimer, listTimers, pauseForDeletion, pauseRunning, startTimer, unstopTimer } from './timers.store'

/** Sums read every entry: one at a time for each viewer. */
const enqueueReport = createUserQueues(1)

/** Up to ten megabytes each. */
const acquireStatement = createSemaphore({ perUser: 1, total: 10 }, 'This is already being printed.')

const NOT_LONGER = 'This board is read-only for you: you cannot log more time than the timer recorded.'

const timeRouter = router({
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
        await announceEntry(ctx, grant, entry, { type: 'time_entry_added', change: 'logged' })
        if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'logged')
        return entry
      }
      const grant = await grantStarting(ctx.db, ctx.viewer, input.taskId)
      const { at } = await pauseOther(ctx, grant, input.at)
      const entry = await startTimer(ctx.db, grant, input, at)
      await announceEntry(ctx, grant, entry, { type: 'time_entry_added' })
      if (input.notify) await notifyMembers({ ...ctx, grant }, entry, 'started')
      return entry
    }),

  update: changesEntry.mutation(async ({ ctx }) => {
    const { grant, resumes, changes } = ctx
    const moments = await pauseOther(ctx, resumes, changes.status && changes.at, grant.entry)
    if (grant.isLocked && (changes.duration ?? 0) > roundedMinutes(elapsedMs(grant.entry, moments.at)))
      throw forbidden(NOT_LONGER)
    const entry = await updateEntry(ctx.db, grant, changes, moments)
    if (!entry) return grant.entry
    const change = entryChange(grant.entry, entry)
    await announceEntry(ctx, grant, entry, { change })
    if (entry.note !== grant.entry.note) await updateNotifiedNote(ctx.db, grant, entry.note)
    if (changes.notify) await notifyMembers(ctx, entry, change === 'logged' ? 'logged' : 'corrected')
    return entry
  }),

  delete: onEntry.meta({ kind: 'deletes' }).mutation(async ({ ctx }) => {
    if (ctx.grant.entry.status === 'ACTIVE') await pauseForDeletion(ctx.db, [ctx.grant], await databaseNow(ctx.db))
    await deleteEntry(ctx.db, ctx.grant)
    await announceDeletedEntry(ctx, ctx.grant, ctx.grant.entry)
    return done
  }),

  restore: mutation
    .meta({ kind: 'restores' })
    .input(entryInput)
    .mutation(async ({ ctx, input }) => {
      const grant = await grantRow(ctx.db, ctx.viewer, 'entry', input.entryId)
      const entry = await restoreEntry(ctx.db, grant)
      const change = entry.status === 'completed' ? 'logged' : null
      await announceEntry(ctx, grant, entry, { type: 'time_entry_added', change })
      return entry
    }),

  unstop: mutation
    .meta({ matches: true, kind: 'restores' })
    .input(entryInput)
    .input(unstop)
    .mutation(async ({ ctx, input: { entryId, status, at: given } }) => {
      const grant = await grantResuming(ctx.db, ctx.viewer, entryId, ['status'])
      // Undone in another tab already.
      if (grant.entry.status !== 'completed') return grant.entry
      assertMatch(ctx, grant.entry)
      const { at } = await pauseOther(ctx, status === 'ACTIVE' ? grant : null, given, grant.entry)
      const entry = await unstopTimer(ctx.db, grant, status, at)
      await announceEntry(ctx, grant, entry, { change: 'removed', logged: grant.entry })
      return entry
    }),

  timers: reading.query(async ({ ctx }): Promise<OwnTimers> => {
    const timers = await listTimers(ctx.db, ctx.viewer)
    return { now: new Date(await databaseNow(ctx.db)).toISOString(), timers }
  }),

  confirm: mutation
    .meta({ kind: 'unmetered' })
    .input(entryInput)
    .input(confirmation)
    .mutation(async ({ ctx, input }) => {
      const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId, 'confirmed')
      const { at } = await momentsOf(ctx.db, input.at, [grant.entry])
      const entry = await confirmTimer(ctx.db, grant, at)
      if (!entry) throw conflict(ALREADY_STOPPED)
      if (entry.revision !== grant.entry.revision) await announceEntry(ctx, grant, entry)
      return entry
    }),

  mine: reading.input(myTimeFilter).query(async ({ ctx, input }): Promise<MyTime> => {
    const now = new Date(await databaseNow(ctx.db))
    const today = dayIn(now, input.timeZone)
    const days = daysOf(input, today, firstWeekday(ctx.viewer.weekStartsOn, ctx.language))
    if (!days) throw badRequest(NO_DAYS)
    const { entries, more } = await listMine(ctx.db, ctx.viewer, days)
    return { now: now.toISOString(), today, ...days, entries, more, tasks: await tasksOfMine(ctx.db, ctx.viewer, days) }
  }),

  report: readsBoard.input(reportPage).query(async ({ ctx, input }): Promise<Report> => {
    const { page: requested, pageSize, rounding, boardId, ...filter } = input
    const pricing = await readPricing(ctx.db, ctx.grant, rounding)
    const totals = await enqueueReport(ctx.viewer.id, () => readTotals(ctx.db, ctx.grant, filter, pricing))
    // Entries may have been deleted since the page was chosen.
    const page = Math.min(requested, Math.max(1, Math.ceil(totals.entries / pageSize)))
    return { ...totals, page, rows: await readPage(ctx.db, ctx.grant, { ...totals, pricing, filter, page, pageSize }) }
  }),

  statement: readsBoard.input(statementFilter).query(async ({ ctx, input, path }): Promise<Statement> => {
    if (ctx.batch.filter((one) => one === path).length > 1) throw badRequest('Request one report at a time.')
    const { rounding, boardId, ...filter } = input
    const pricing = await readPricing(ctx.db, ctx.grant, rounding)
    const release = acquireStatement(ctx.viewer.id)
    try {
      return { amounts: pricing.amounts, ...(await readStatement(ctx.db, ctx.grant, filter, pricing)) }
    } finally {
      release()
    }
  }),

  rates: readsBoard.query(({ ctx }) => readRates(ctx.db, ctx.grant)),

  setRate: onBoard('rate')
    .input(z.object({ userId: id }))
    .input(rateChange)
    .mutation(async ({ ctx, input }) => {
      const readers = await setRate(ctx.db, ctx.grant, input)
      ctx.outbox.push(toUsers(readers, { type: 'rate_changed', to: 'user', payload: { boardId: input.boardId } }))
      return readRates(ctx.db, ctx.grant)
    }),
})

/** Pauses the user's running timer if `grant` starts another; returns when. */
async function pauseOther(ctx: AnnounceContext, grant: StartGrant | ResumeGrant | null, at?: string, entry?: TimeEntry) {
  const running = grant && (await grantPausingRunning(ctx.db, grant, entry?.id))
  const moments = await momentsOf(ctx.db, at, [entry, running?.entry])
  if (running) await announceEntry(ctx, running, await pauseRunning(ctx.db, running, moments.at))
  return moments
}

async function notifyMembers(ctx: NotifyContext, entry: TimeEntry, kind: 'logged' | 'started' | 'corrected') {
  const amount = entry.status === 'completed' ? durationText(entry.duration) : ''
  const detail = [amount, entry.note].filter((line) => line !== null).join('\n')
  await notify(ctx, kind, await memberIds(ctx.db, ctx.grant.board.id), { detail, timeEntryId: entry.id })
}

const { get, post, create, patch, remove } = restCalls('time', timeRouter)

const timeRest = [
  get(
    '/api/time-entries/task/:taskId',
    'ofTask',
    "A task's time entries, newest work first; if there are more, X-Next-Cursor holds the next cursor",
    z.array(timeEntry),
  ),
  get(
    '/api/time-entries/board/:boardId',
    'ofBoard',
    "A board's time entries, newest day first; if there are more, X-Next-Cursor holds the next cursor",
    z.array(timeEntry),
  ),
  create(
    '/api/time-entries',
    'create',
    'Log minutes of work, or start a timer with the status ACTIVE, which pauses a running one',
    timeEntry,
  ),
  patch('/api/time-entries/:entryId', 'update', 'Change your entry; a status pauses, resumes or completes a timer', timeEntry),
  remove('/api/time-entries/:entryId', 'delete', 'Delete your entry', success),
  post('/api/time-entries/:entryId/restore', 'restore', 'Restore an entry you deleted in the last 10 seconds', timeEntry),
  post(
    '/api/time-entries/:entryId/unstop',
    'unstop',
    'Undo the stop of a timer, within a day: it runs or stays paused as if it had never been stopped',
    timeEntry,
  ),
  get('/api/time-entries/timers', 'timers', "Your running and paused timers, by the server's clock", ownTimers),
  post('/api/time-entries/:entryId/confirm', 'confirm', 'Confirm that all the time on a timer was work', timeEntry),
  get('/api/time-entries/mine', 'mine', 'Your time on all your boards, by day, for up to 31 days; this week by default', myTime),
  get(
    '/api/boards/:boardId/time-report',
    'report',
    "A page of a board's time entries, with sums over all that match: from and to are inclusive days",
    report,
  ),
  get('/api/boards/:boardId/time-statement', 'statement', "A board's matching time entries, for printing", statement),
  get('/api/boards/:boardId/rates', 'rates', "Hourly rates: all for the board's creator, your own otherwise", rates),
  patch('/api/boards/:boardId/rates/:userId', 'setRate', "Set a member's hourly rate in cents, starting on a given day", rates),
]

export const timeDomain = {
  router: timeRouter,
  rest: timeRest,
  routes: timeRoutes,
  shapes: {
    TimeEntry: timeEntry,
    Timer: timer,
    OwnTimers: ownTimers,
    MyTime: myTime,
    Report: report,
    Statement: statement,
    Rates: rates,
  },
}
