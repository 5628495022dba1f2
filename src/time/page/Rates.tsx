import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { z } from 'zod'
import { maySetRates } from '../../access'
import type { Board } from '../../boards/schema'
import { dayAt } from '../../days'
import { Avatar } from '../../users/page/Avatar'
import { usePeopleSearch } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { DayInput } from '../../web/ui/DayInput'
import { Dialog } from '../../web/ui/Dialog'
import { TryAgain } from '../../web/ui/Failure'
import { Field, Input } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { dayText } from '../limits'
import { CURRENCY, centsOf, type Rate, rateChange } from '../schema'
import { amountText, useRates, useSetRate } from './reportCache'

type Props = { board: Board; people: UserSummary[]; locked: boolean; onClose(): void }

/** The creator sees and sets everyone's rates, others see their own. */
export function Rates({ board, people, locked, onClose }: Props) {
  const viewer = useViewer()
  const isSettable = maySetRates(viewer, board)
  const { rates, error, isError, isFetching, retry } = useRates(board.id)
  // Rates outlast a membership.
  const all = new Map([...people, ...(rates ?? []).map(({ user }) => user)].map((user) => [user.id, user]))
  const { found, field } = usePeopleSearch([...all.values()].filter(({ id }) => isSettable || id === viewer.id))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isSettable ? 'Hourly rates' : 'Your hourly rate'}
      description={
        isSettable ? 'You can see everyone’s; members can see only their own.' : 'Only you and the board creator can see it.'
      }
      keep
    >
      {rates && field}
      {rates ? (
        <ul className="flex flex-col divide-y divide-line">
          {found.map((person) => (
            <PersonRates
              key={person.id}
              boardId={board.id}
              person={person}
              rates={rates.filter(({ user }) => user.id === person.id)}
              isSettable={isSettable && !locked}
            />
          ))}
        </ul>
      ) : isError ? (
        <TryAgain busy={isFetching} retry={retry} error={error}>
          The hourly rates could not be loaded.
        </TryAgain>
      ) : (
        <div className="skeleton-people h-40" aria-busy />
      )}
    </Dialog>
  )
}

type PersonProps = { boardId: number; person: UserSummary; rates: Rate[]; isSettable: boolean }

function PersonRates({ boardId, person, rates, isSettable }: PersonProps) {
  const [setting, setSetting] = useState(false)
  const setter = useRef<HTMLButtonElement>(null)
  const toSetter = () => setter.current?.focus()
  const close = () => {
    flushSync(() => setSetting(false))
    toSetter()
  }
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex items-center gap-2">
        <Avatar user={person} />
        <span dir="auto" className="min-w-0 flex-1 truncate font-strong">
          {displayName(person)}
        </span>
        {rates.length === 0 && <span className="text-quiet">No rate</span>}
        {isSettable && !setting && (
          <Button
            ref={setter}
            size="small"
            aria-label={`${rates.length > 0 ? 'Change' : 'Set'} rate for ${displayName(person)}`}
            onClick={() => setSetting(true)}
          >
            {rates.length > 0 ? 'Change' : 'Set rate'}
          </Button>
        )}
      </div>
      {rates.length > 0 && (
        <ul aria-label={`Rates for ${displayName(person)}`} className="flex flex-col pl-8">
          {rates
            .map((rate, nth) => (
              <RateLine
                key={rate.from}
                boardId={boardId}
                rate={rate}
                before={rates[nth - 1]}
                next={rates[nth + 1]}
                isSettable={isSettable}
                onRemoved={toSetter}
              />
            ))
            .toReversed()}
        </ul>
      )}
      {setting && <RateForm boardId={boardId} person={person} isFirst={rates.length === 0} onClose={close} />}
    </li>
  )
}

function workPeriod(from: string | null, next?: string | null): string {
  if (!from) return next ? ` before ${dayText(next)}` : ''
  return ` from ${dayText(from)} ${next ? `until the next rate on ${dayText(next)}` : 'onward'}`
}

const since = (from: string | null) => (from ? `from ${dayText(from)}` : 'from the beginning')

/** `before` is the rate that comes back when this one is removed, until the `next` one. */
type LineProps = {
  boardId: number
  rate: Rate
  before: Rate | undefined
  next: Rate | undefined
  isSettable: boolean
  onRemoved(): void
}

function RateLine({ boardId, rate, before, next, isSettable, onRemoved }: LineProps) {
  const [asking, setAsking] = useState(false)
  const removed = useRef(false)
  const change = useSetRate(boardId)
  const { user, from, cents } = rate
  const remove = async () => {
    // The line may be removed before the answer arrives.
    removed.current = true
    removed.current = (await change.run({ userId: user.id, from, cents: null })) !== undefined
    setAsking(false)
  }
  return (
    <li className="flex min-h-7 items-center gap-2">
      <span className="tabular flex-1">
        {amountText(cents)} <span className="text-quiet">an hour, {since(from)}</span>
      </span>
      {isSettable && (
        <Button
          look="quiet"
          size="icon"
          className="-mr-overhang"
          aria-label={`Remove the ${amountText(cents)} rate that applies ${since(from)}`}
          onClick={() => setAsking(true)}
        >
          <X className="size-3.5" aria-hidden />
        </Button>
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Remove this rate?"
        text={`${displayName(user)}’s work${workPeriod(from, next?.from)} will ${before ? `be billed at ${amountText(before.cents)} an hour, the previous rate` : 'have no rate'}.`}
        action="Remove rate"
        busyAction="Removing..."
        busy={change.isPending}
        onConfirm={remove}
        onCloseAutoFocus={(event) => {
          if (!removed.current) return
          event.preventDefault()
          onRemoved()
        }}
      />
    </li>
  )
}

type FormProps = { boardId: number; person: UserSummary; isFirst: boolean; onClose(): void }

/** The amount is validated in cents. */
const rateFields = z.object({ amount: rateChange.shape.cents })

/** A rate usually starts today, so that earlier work keeps its amounts. */
function RateForm({ boardId, person, isFirst, onClose }: FormProps) {
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
  /** Keeps what was typed. The day field and the calendar handle Escape themselves. */
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
        {values.from
          ? `Work before that day ${isFirst ? 'has no rate' : 'keeps its rate'}.`
          : `Leave “From” empty to apply the rate to all work${isFirst ? '' : ' before the first dated rate'}.`}
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
