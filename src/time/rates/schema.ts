import { z } from 'zod'
import type { ToUser } from '../../protocol'
import { userSummary } from '../../users/schema'
import { day } from '../entries/schema'

/** The product's: amounts are whole numbers of its cents. */
export const CURRENCY = 'CAD'

/** Cents an hour. */
const RATE_MAX = 1_000_000

/** So many rates one person has on a board, one after the other. */
export const RATES_MAX = 50

const AMOUNT = `An hourly rate is between 0 and ${RATE_MAX / 100_000},000 ${CURRENCY}`
const cents = z.number(AMOUNT).int(AMOUNT).min(0, AMOUNT).max(RATE_MAX, AMOUNT)

/** Without a day it holds from the beginning. `cents` null takes back the rate of that day: the one before it holds on. */
export const rateChange = z.object({ from: day.nullable(), cents: cents.nullable() })
export type RateChange = z.output<typeof rateChange> & { userId: number }

/** What an hour of someone's work costs on a board, until their next rate begins. */
const rate = z.object({ user: userSummary, from: z.string().nullable(), cents: z.number() })
export type Rate = z.infer<typeof rate>
/** Those that the viewer may see, of each person the earliest first. */
export const rates = z.array(rate)

/** Cents as a number with two decimals, for machines. */
export const decimalText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** What was typed as an amount, in cents, without a detour through fractions; undefined where it is none. */
export function centsOf(typed: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === '' ? undefined : Number(whole + part.padEnd(2, '0'))
}

/** Tells those who may see a rate that it changed; how much it is, they ask. */
type RateMessage = ToUser<'rate_changed', { boardId: number }>

declare module '../../protocol' {
  interface Messages {
    rates: RateMessage
  }
}
