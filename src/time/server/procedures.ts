import { z } from 'zod'
import { taskEvents } from '../../boards/activity'
import { type AnnounceContext, announce } from '../../boards/server/announce'
import { id } from '../../schema'
import { assertMatch } from '../../server/etag'
import type { AnnounceGrant } from '../../server/signedIn'
import { mutation } from '../../server/trpc'
import { type TimeEntry, timeEntryChanges } from '../schema'
import { grantEntry, grantResuming } from './grants'
import { loggedMinutes } from './lookup'

export const entryInput = z.object({ entryId: id })

export const onEntry = mutation
  .meta({ matches: true })
  .input(entryInput)
  .use(async ({ ctx, input, next }) => {
    const grant = await grantEntry(ctx.db, ctx.viewer, input.entryId)
    assertMatch(ctx, grant.entry)
    return next({ ctx: { grant } })
  })

/** `resumes` is the grant for resuming a timer, which takes more locks. */
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

/** The change's name in the task's activity; null for timers, which it leaves out. */
type EntryChange = 'logged' | 'changed' | 'removed' | null

export function entryChange(before: TimeEntry, after: TimeEntry): EntryChange {
  if (after.status !== 'completed') return null
  if (before.status !== 'completed') return 'logged'
  return after.duration !== before.duration || after.day !== before.day ? 'changed' : null
}

const entryEvents = ({ taskId: id, task: title, duration: minutes }: TimeEntry, change: EntryChange) =>
  taskEvents({ id, title }, ...(change ? [{ kind: 'time' as const, detail: { did: change, minutes } }] : []))

/** `logged` is the entry for the activity, if it differs from the current one. */
type Announced = { type?: 'time_entry_added' | 'time_entry_updated'; change?: EntryChange; logged?: TimeEntry }

/** Announces an entry to the open board and to all pages of its owner, which show their timers. */
export async function announceEntry(
  ctx: AnnounceContext,
  grant: AnnounceGrant,
  entry: TimeEntry,
  { type = 'time_entry_updated', change = null, logged = entry }: Announced = {},
): Promise<void> {
  const { taskId, userId } = entry
  if (entry.boardId !== grant.board.id) throw new Error(`time entry ${entry.id} is of another board`)
  const payload = { taskId, entry, minutes: await loggedMinutes(ctx.db, taskId) }
  await announce(ctx, grant, { type, to: 'openBoard', payload }, entryEvents(logged, change), [userId])
}

export async function announceDeletedEntry(ctx: AnnounceContext, grant: AnnounceGrant, entry: TimeEntry): Promise<void> {
  const { id: entryId, taskId, userId, status } = entry
  const payload = { taskId, entryId, minutes: await loggedMinutes(ctx.db, taskId) }
  const events = entryEvents(entry, status === 'completed' ? 'removed' : null)
  await announce(ctx, grant, { type: 'time_entry_deleted', to: 'openBoard', payload }, events, [userId])
}
