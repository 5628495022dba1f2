import { z } from 'zod'
import { addDays, type Days, weekStartOf } from '../../basics'
import { id } from '../../schema'
import { STATUSES } from '../../tasks/schema'
import { day, timeZone } from '../entries/schema'
import { timer } from '../timers/schema'

const DAYS_MAX = 31
const FIRST_DAY = '0001-01-01'
export const ENTRIES_MAX = 2_000

export const myTimeFilter = z.object({ from: day.optional(), to: day.optional(), timeZone: timeZone.default('UTC') })

/** Where no days are given, the week of `today`, which starts on the weekday `start`; null where they are none, or too many. */
export function daysOf({ from, to }: Partial<Days>, today: string, start: number): Days | null {
  const first = from ?? (to ? addDays(to, -6) : weekStartOf(today, start))
  const last = to ?? addDays(first, 6)
  return FIRST_DAY <= first && first <= last && last < addDays(first, DAYS_MAX) ? { from: first, to: last } : null
}

export const NO_DAYS = `From 1 to ${DAYS_MAX} days can be asked for`

const sheetTask = z.object({ id, boardId: id, title: z.string(), status: z.enum(STATUSES), board: z.string() })
export type SheetTask = z.infer<typeof sheetTask>

/** `today` is in the given time zone; `tasks` are those of which one may want a row. */
export const myTime = z.object({
  now: z.string(),
  today: z.string(),
  from: z.string(),
  to: z.string(),
  entries: z.array(timer),
  more: z.boolean(),
  tasks: z.array(sheetTask),
})
export type MyTime = z.infer<typeof myTime>
