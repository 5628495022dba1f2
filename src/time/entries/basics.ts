import { numberText, shortDay } from '../../basics'

export const MINUTES_MAX = 44_640

export const durationText = (minutes: number): string => `${numberText(Math.floor(minutes / 60))}h ${minutes % 60}m`

/** As a clock would: "1:05". */
export const clockOf = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

/** A calendar day (YYYY-MM-DD) as "MMM d, yyyy". */
export const dayText = (day: string): string => `${shortDay(day)}, ${day.slice(0, 4)}`

export const NOT_YOURS = 'You can only edit your own time entries'
export const LOADING_FAILED = 'Error loading time entries'
export const NOTHING_TO_EXPORT = 'There are no time entries matching your current filters.'
export const INVALID_DURATION = 'Please enter a valid duration (greater than 0)'
