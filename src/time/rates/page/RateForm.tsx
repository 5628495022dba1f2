import type { KeyboardEvent } from 'react'
import { z } from 'zod'
import { dayAt } from '../../../basics'
import type { UserSummary } from '../../../users/schema'
import { Button } from '../../../web/ui/Button'
import { DayInput } from '../../../web/ui/DayInput'
import { Field, Input } from '../../../web/ui/Field'
import { useDraft } from '../../../web/useDraft'
import { useForm } from '../../../web/useForm'
import { CURRENCY, centsOf, rateChange } from '../schema'
import { useSetRate } from './cache'

type Props = { boardId: number; person: UserSummary; isFirst: boolean; onClose(): void }

/** The amount is validated in cents. */
const rateFields = z.object({ amount: rateChange.shape.cents })

/** Starts usually today, so that former work keeps its amounts. */
export function RateForm({ boardId, person, isFirst, onClose }: Props) {
  const change = useSetRate(boardId)
  const current = { amount: '', from: isFirst ? '' : dayAt(new Date()) }
  const draft = useDraft(`rate-${boardId}-${person.id}`, current)
  const input = { amount: centsOf(draft.values.amount) ?? Number.NaN }
  const { values, errors, type, text, submit, discard } = useForm(draft, { schema: rateFields, input })
  const close = () => {
    discard()
    onClose()
  }
  const save = submit(async ({ amount: cents }) => {
    if (await change.run({ userId: person.id, from: values.from || null, cents })) close()
  })
  /** What was typed is kept; a day that is typed, and the calendar, have an Escape of their own. */
  const leave = ({ key, target, currentTarget }: KeyboardEvent) => {
    if (key === 'Escape' && target instanceof Element && target.closest('[data-own-escape]') === currentTarget) onClose()
  }
  return (
    <form
      onSubmit={save}
      onKeyDown={leave}
      data-own-escape
      className="flex flex-col gap-3 rounded-panel bg-column p-3"
      noValidate
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label={`Hourly rate (${CURRENCY})`} error={errors.amount}>
          {(tied) => (
            <Input
              {...tied}
              {...text('amount')}
              autoFocus
              inputMode="decimal"
              placeholder="85.00"
              autoComplete="off"
              className="tabular"
              readOnly={change.isPending}
            />
          )}
        </Field>
        <Field label="From">
          {(tied) => <DayInput {...tied} readOnly={change.isPending} day={values.from} onDay={(from) => type({ from })} />}
        </Field>
      </div>
      <p className="text-pretty text-quiet text-small">
        {values.from ? 'What was done before that day keeps the rate it had.' : 'Without a day, it counts from the beginning.'}
      </p>
      <div className="flex justify-end gap-2">
        <Button size="small" disabled={change.isPending} onClick={close}>
          Cancel
        </Button>
        <Button type="submit" size="small" look="primary" busy={change.isPending}>
          Save rate
        </Button>
      </div>
    </form>
  )
}
