import { z } from 'zod'
import type { ToUser } from '../../protocol'
import { userSummary } from '../../users/schema'
import { day } from '../entries/schema'

/** Invoicing rounds the minutes of each billable entry up to a multiple of these. */
export const ROUNDINGS = [0, 6, 15, 30] as const
export type Rounding = (typeof ROUNDINGS)[number]

export const CURRENCY = 'CAD'

/** Cents per hour. */
export const RATE_MAX = 1_000_000

export const RATES_MAX = 50

const AMOUNT = `An hourly rate is between 0 and ${RATE_MAX / 100_000},000 ${CURRENCY}`
const cents = z.number(AMOUNT).int(AMOUNT).min(0, AMOUNT).max(RATE_MAX, AMOUNT)

/** `from` null means always; `cents` null removes the rate that starts on that day. */
export const rateChange = z.object({ from: day.nullable(), cents: cents.nullable() })
export type RateChange = z.output<typeof rateChange> & { userId: number }

const rate = z.object({ user: userSummary, from: z.string().nullable(), cents: z.number() })
export type Rate = z.infer<typeof rate>
export const rates = z.array(rate)

/** Cents as a number with two decimals, independent of the locale. */
export const decimalText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Parses an amount into cents, without floats; undefined if it is none. */
export function centsOf(typed: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === '' ? undefined : Number(whole + part.padEnd(2, '0'))
}

/** Sent to those who may see the rate, which they then fetch. */
type RateMessage = ToUser<'rate_changed', { boardId: number }>

declare module '../../protocol' {
  interface Messages {
    rates: RateMessage
  }
}
