import { Field, Input, TextArea } from '../../../web/ui/Field'
import { Switch } from '../../../web/ui/Switch'
import { LAST_MINUTE, type TimeErrors, type TimeValues } from './useTimeForm'

type Props = {
  values: TimeValues
  errors: TimeErrors
  busy: boolean
  dayless?: boolean
  locked?: boolean
  onType(changes: Partial<TimeValues>): void
}

export const TimeFields = ({ values, errors, busy, dayless, locked, onType }: Props) => (
  <>
    <div className={`grid gap-4 ${dayless ? 'grid-cols-2' : 'grid-cols-2 sm:grid-cols-[1fr_1fr_1.6fr]'}`}>
      <NumberField label="Hours" value={values.hours} error={errors.hours} busy={busy} onType={(hours) => onType({ hours })} />
      <NumberField
        label="Minutes"
        max={LAST_MINUTE}
        value={values.minutes}
        error={errors.minutes}
        busy={busy}
        onType={(minutes) => onType({ minutes })}
      />
      {!dayless && (
        <div className="max-sm:col-span-2">
          <Field label="Day" error={errors.day}>
            {(tied) => (
              <Input
                {...tied}
                type="date"
                required
                readOnly={busy}
                max="9999-12-31"
                value={values.day}
                onChange={(event) => onType({ day: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </div>
    <Field label="Notes (optional)" error={errors.note}>
      {(tied) => (
        <TextArea {...tied} readOnly={busy} value={values.note} onChange={(event) => onType({ note: event.target.value })} />
      )}
    </Field>
    {!locked && (
      <Switch
        label="Billable"
        text="Counts when time is invoiced"
        disabled={busy}
        on={!values.unbilled}
        onChange={(on) => onType({ unbilled: on ? '' : 'yes' })}
      />
    )}
    <label className="flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-text"
        disabled={busy}
        checked={!values.silent}
        onChange={(event) => onType({ silent: event.target.checked ? '' : 'yes' })}
      />
      Notify board members about this update
    </label>
  </>
)

type NumberProps = { label: string; value: string; error?: string; max?: number; busy: boolean; onType(text: string): void }

const NumberField = ({ label, value, error, max, busy, onType }: NumberProps) => (
  <Field label={label} error={error}>
    {(tied) => (
      <Input
        {...tied}
        type="number"
        inputMode="numeric"
        min={0}
        max={max}
        step={1}
        className="tabular"
        readOnly={busy}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    )}
  </Field>
)
