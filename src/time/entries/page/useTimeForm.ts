import { flushSync } from 'react-dom'
import { z } from 'zod'
import { toast } from '../../../web/toast'
import { type Fields, useForm } from '../../../web/useForm'
import { timeEntryChanges } from '../schema'
import { parseMinutes } from './display'

export type TimeValues = { hours: string; minutes: string; note: string; day: string; isSilent: boolean; isUnbilled: boolean }

export const LAST_MINUTE = 59
const TOO_MANY_MINUTES = `Please enter at most ${LAST_MINUTE} minutes, and the rest as hours`

/** Errors of the duration show at the hours, which are validated as the whole. */
const timeFields = z.object({
  hours: timeEntryChanges.shape.duration.unwrap(),
  minutes: z.string().refine((typed) => !(Number(typed) > LAST_MINUTE), `At most ${LAST_MINUTE}`),
  note: timeEntryChanges.shape.note,
  day: z.string().refine((day) => day >= '1000', 'Please choose a day'),
})

type Ways = {
  send(values: TimeValues, duration: number): Promise<unknown>
  onClose(): void
  onSent?(): void
}

export function useTimeForm(fields: Fields<TimeValues>, { send, onClose, onSent }: Ways) {
  const { values } = fields
  const form = useForm(fields, { schema: timeFields, input: { ...values, hours: parseMinutes(values) } })
  const close = () => {
    form.discard()
    onClose()
  }
  const store = async ({ hours: duration }: { hours: number }) => {
    if (!(await send(values, duration))) return
    flushSync(close)
    onSent?.()
  }
  const refuse = ({ hours, minutes }: { hours?: string; minutes?: string }) => {
    if (hours || minutes) toast({ variant: 'destructive', title: 'Invalid duration', description: hours ?? TOO_MANY_MINUTES })
  }
  return { ...form, close, submit: form.submit(store, refuse) }
}

export type TimeForm = ReturnType<typeof useTimeForm>
