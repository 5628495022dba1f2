import type { ComponentProps } from 'react'
import { DayInput } from '../../../web/ui/DayInput'
import { Field, Input, TextArea } from '../../../web/ui/Field'
import { Switch } from '../../../web/ui/Switch'
import { LAST_MINUTE, type TimeForm } from './useTimeForm'

type Props = {
  form: TimeForm
  busy: boolean
  dayless?: boolean
  locked?: boolean
}

export const TimeFields = ({ form: { values, errors, text, type }, busy, dayless, locked }: Props) => (
  <>
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
      {(tied) => <TextArea {...tied} {...text('note')} readOnly={busy} />}
    </Field>
    {!locked && (
      <Switch
        label="Billable"
        text="Counts when time is invoiced"
        disabled={busy}
        on={!values.isUnbilled}
        onChange={(on) => type({ isUnbilled: !on })}
      />
    )}
    <label className="flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-text"
        disabled={busy}
        checked={!values.isSilent}
        onChange={(event) => type({ isSilent: !event.target.checked })}
      />
      Notify board members about this update
    </label>
  </>
)

type NumberProps = ComponentProps<'input'> & { label: string; error: string | undefined }

const NumberField = ({ label, error, ...rest }: NumberProps) => (
  <Field label={label} error={error}>
    {(tied) => <Input {...tied} {...rest} type="number" inputMode="numeric" min={0} step={1} className="tabular" />}
  </Field>
)
