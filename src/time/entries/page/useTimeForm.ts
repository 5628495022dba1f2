import { type SubmitEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldErrors } from '../../../web/fieldErrors'
import { toast } from '../../../web/toast'
import { useDraft } from '../../../web/useDraft'
import { INVALID_DURATION, timeEntryChanges } from '../schema'
import { parseMinutes } from './display'

/** `silent` and `unbilled` are empty or "yes". */
export type TimeValues = { hours: string; minutes: string; note: string; day: string; silent: string; unbilled: string }
export type TimeErrors = Partial<Record<keyof TimeValues, string>>

export const LAST_MINUTE = 59

type Ways = {
  send(values: TimeValues, duration: number): Promise<unknown>
  onClose(): void
  onSent?(): void
}

export function useTimeForm(name: string, current: TimeValues, { send, onClose, onSent }: Ways) {
  const { typed, type, discard } = useDraft<keyof TimeValues>(name, current)
  const [tried, setTried] = useState(false)
  const values = { ...current, ...typed }
  const duration = parseMinutes(values)
  const found = errorsOf(values, duration)
  /** The duration, or undefined after showing what is wrong. */
  const check = (): number | undefined => {
    setTried(true)
    if (Object.keys(found).length === 0) return duration
    if (found.hours || found.minutes)
      toast({ variant: 'destructive', title: 'Invalid duration', description: found.hours ?? INVALID_DURATION })
    return undefined
  }
  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const checked = check()
    if (checked === undefined || !(await send(values, checked))) return
    flushSync(close)
    onSent?.()
  }
  return { values, errors: tried ? found : {}, type, close, submit }
}

function errorsOf(values: TimeValues, duration: number): TimeErrors {
  const found = fieldErrors<'duration' | 'note'>(timeEntryChanges, { duration, note: values.note }, true)
  return {
    ...(found.duration && { hours: found.duration }),
    ...(Number(values.minutes) > LAST_MINUTE && { minutes: `At most ${LAST_MINUTE}` }),
    ...(found.note && { note: found.note }),
    // A half-typed year has fewer than four digits.
    ...(values.day < '1000' && { day: 'Please choose a day' }),
  }
}
