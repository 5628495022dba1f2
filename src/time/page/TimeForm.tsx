import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import { lazySchema } from '../../web/lazyComponent'
import { whenIdle } from '../../web/scheduling'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { DayInput } from '../../web/ui/DayInput'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, FOCUSED_AT_END, Input, TextArea } from '../../web/ui/Field'
import { Switch } from '../../web/ui/Switch'
import { type Fields, useForm } from '../../web/useForm'
import { LAST_MINUTE } from '../limits'
import { parseHoursAndMinutes } from './parseDuration'

export type TimeValues = { hours: string; minutes: string; note: string; day: string; notify: boolean; billable: boolean }

const TOO_MANY_MINUTES = `Enter at most ${LAST_MINUTE} minutes; put the rest under Hours`

const useTimeFields = lazySchema(() => import('../schema').then((module) => module.timeFields))

/** Loads the form's checks while the page is idle, so that it works without a connection. */
export function usePreloadedTimeFields(): void {
  useEffect(() => void whenIdle(() => void useTimeFields.load().catch(() => {})), [])
}

type Handlers = {
  send(values: TimeValues, duration: number): Promise<unknown>
  onClose(): void
  onSent?(): void
}

export function useTimeForm(fields: Fields<TimeValues>, { send, onClose, onSent }: Handlers) {
  const { values } = fields
  const form = useForm(fields, { schema: useTimeFields(), input: { ...values, hours: parseHoursAndMinutes(values) } })
  const close = () => {
    form.discard()
    onClose()
  }
  const save = async ({ hours: duration }: { hours: number }) => {
    if (!(await send(values, duration))) return
    flushSync(() => {
      form.discard(values)
      onClose()
    })
    onSent?.()
  }
  const tellInvalid = ({ hours, minutes }: { hours?: string; minutes?: string }) => {
    if (hours || minutes) toast({ variant: 'destructive', title: 'Invalid duration', description: hours ?? TOO_MANY_MINUTES })
  }
  return { ...form, close, submit: form.submit(save, tellInvalid) }
}

/** A moment on another day at the same time of day, in the viewer's time zone. */
export function onDay(day: string, time: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds())
}

type Props = {
  title: string
  description: string
  form: ReturnType<typeof useTimeForm>
  busy: boolean
  dayless?: boolean
  locked?: boolean
  focus?: 'note'
  action: string
  cancel?: string
  /** Unlike `cancel`, keeps what was typed. */
  onClose(): void
  children?: ReactNode
}

export function TimeForm({ title, description, form, busy, dayless, locked, focus, ...rest }: Props) {
  const { action, cancel = 'Cancel', onClose, children } = rest
  const { values, errors, text, check, type } = form
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description} keep>
      <form onSubmit={form.submit} className="flex flex-col gap-4" noValidate>
        <div className={`grid gap-4 ${dayless ? 'grid-cols-2' : 'grid-cols-2 sm:grid-cols-[1fr_1fr_1.6fr]'}`}>
          <NumberField {...text('hours')} label="Hours" error={errors.hours} readOnly={busy} />
          <NumberField {...text('minutes')} label="Minutes" max={LAST_MINUTE} error={errors.minutes} readOnly={busy} />
          {!dayless && (
            <div className="max-sm:col-span-2">
              <Field label="Day" error={errors.day}>
                {(tied) => <DayInput {...tied} past readOnly={busy} day={values.day} onDay={(day) => type({ day })} />}
              </Field>
            </div>
          )}
        </div>
        <Field label="Notes (optional)" error={errors.note}>
          {(tied) => <TextArea {...tied} {...text('note')} readOnly={busy} {...(focus === 'note' && FOCUSED_AT_END)} />}
        </Field>
        {!locked && (
          <Switch
            label="Billable"
            text="Included in invoices"
            disabled={busy}
            on={values.billable}
            onChange={(billable) => type({ billable })}
          />
        )}
        <label className="flex min-h-6 items-center gap-2">
          <input type="checkbox" className="checkbox" disabled={busy} {...check('notify')} />
          Notify board members about this update
        </label>
        <DialogButtons>
          {children}
          <Button onClick={form.close} disabled={busy}>
            {cancel}
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

type NumberProps = ComponentProps<'input'> & { label: string; error: string | undefined }

const NumberField = ({ label, error, ...rest }: NumberProps) => (
  <Field label={label} error={error}>
    {(tied) => (
      <Input
        {...tied}
        {...rest}
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        // Browsers would change the number instead of scrolling.
        onWheel={({ currentTarget }) => currentTarget.blur()}
        className="tabular"
      />
    )}
  </Field>
)
