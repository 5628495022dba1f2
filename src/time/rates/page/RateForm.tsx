import { type SubmitEvent, useState } from 'react'
import { dayAt } from '../../../tasks/page/display'
import type { UserSummary } from '../../../users/schema'
import { fieldErrors } from '../../../web/fieldErrors'
import { Button } from '../../../web/ui/Button'
import { DayInput } from '../../../web/ui/DayInput'
import { Field, Input } from '../../../web/ui/Field'
import { useDraft } from '../../../web/useDraft'
import { CURRENCY, centsOf, rateChange } from '../schema'
import { useSetRate } from './cache'

type Props = { boardId: number; person: UserSummary; isFirst: boolean; onClose(): void }

/** Starts usually today, so that former work keeps its amounts. */
export function RateForm({ boardId, person, isFirst, onClose }: Props) {
  const change = useSetRate(boardId)
  const current = { amount: '', from: isFirst ? '' : dayAt(new Date()) }
  const { typed, type, discard } = useDraft<keyof typeof current>(`rate-${boardId}-${person.id}`, current)
  const [tried, setTried] = useState(false)
  const values = { ...current, ...typed }
  const cents = centsOf(values.amount)
  const found = fieldErrors<'cents'>(rateChange, { cents: cents ?? Number.NaN }, true)
  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (cents === undefined || found.cents) return
    if (await change.run({ userId: person.id, from: values.from || null, cents })) close()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-panel bg-column p-3" noValidate>
      <div className="grid grid-cols-2 gap-3">
        <Field label={`Hourly rate (${CURRENCY})`} error={tried ? found.cents : undefined}>
          {(tied) => (
            <Input
              {...tied}
              autoFocus
              inputMode="decimal"
              placeholder="85.00"
              autoComplete="off"
              className="tabular"
              readOnly={change.isPending}
              value={values.amount}
              onChange={(event) => type({ amount: event.target.value })}
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
