import { z } from 'zod'
import { timeEntry } from '../entries/schema'

export * from './basics'

export const timer = timeEntry.extend({ board: z.string() })
export type Timer = z.infer<typeof timer>

/** `now` is the server's clock, as the page's may be wrong. */
export const ownTimers = z.object({ now: z.string(), timers: z.array(timer) })
export type OwnTimers = z.infer<typeof ownTimers>
