import { type ChangeEvent, type ReactNode, useState } from 'react'
import { countText, durationText, numberText } from '../../format'
import { STATUS_LABELS } from '../../tasks/limits'
import { Button } from '../../web/ui/Button'
import { Field, Select } from '../../web/ui/Field'
import type { Choices, Loss, Preview } from '../schema'

const SHOWN_FOLDED = 12

/** A list that shows its first items until all are asked for. */
export function FoldedList<Item>({
  of,
  label,
  children,
}: {
  of: Item[]
  label: string
  children(item: Item, nth: number): ReactNode
}) {
  const [all, setAll] = useState(false)
  const isLong = of.length > SHOWN_FOLDED
  return (
    <>
      <ul aria-label={label} className="flex flex-col divide-y divide-line">
        {(all ? of : of.slice(0, SHOWN_FOLDED)).map(children)}
      </ul>
      {isLong && (
        <Button size="small" className="self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN_FOLDED}` : `Show all ${numberText(of.length)}`}
        </Button>
      )}
    </>
  )
}

/** With what is on closed tasks, if they are imported too. */
export function countsWith({ closed, onClosed, ...open }: Preview['counts'], takesClosed: boolean): Shown {
  if (!takesClosed) return open
  const all = { ...open, tasks: open.tasks + closed }
  for (const count of WORK) all[count] += onClosed?.[count] ?? 0
  return all
}

const WORK = ['comments', 'attachments', 'entries', 'minutes'] as const
type Shown = Record<'tasks' | (typeof WORK)[number], number>

export function Counts({ counts: { tasks, comments, attachments, entries, minutes } }: { counts: Shown }) {
  const facts = [
    ['Tasks', numberText(tasks)],
    ['Comments', comments > 0 && numberText(comments)],
    ['Files', attachments > 0 && numberText(attachments)],
    ['Time entries', entries > 0 && numberText(entries)],
    ['Time', minutes > 0 && durationText(minutes)],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {facts.map(
        ([label, fact]) =>
          fact && (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-quiet text-small">{label}</dt>
              <dd className="tabular font-strong text-title">{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export type Options<Value extends string> = { labels: Partial<Record<Value, string>>; value: Value; onChoose(value: Value): void }

export function Options<Value extends string>({
  labels,
  value,
  onChoose,
  ...rest
}: Options<Value> & { className: string; 'aria-label'?: string }) {
  const options = Object.entries(labels) as [Value, string][]
  return (
    <Select
      {...rest}
      value={value}
      onChange={({ target }) => {
        const [chosen] = options.find(([known]) => known === target.value) ?? []
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      {options.map(([known, label]) => (
        <option key={known} value={known}>
          {label}
        </option>
      ))}
    </Select>
  )
}

export function Choice<Value extends string>({
  name,
  text,
  label,
  problem,
  ...options
}: Options<Value> & { name: string; text: string; label: string; problem?: ReactNode }) {
  return (
    <li className="flex flex-col gap-1.5 py-1.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <bdi className="wrap-anywhere line-clamp-2">{name}</bdi>
          <span dir="auto" className="tabular block truncate text-quiet text-small">
            {text}
          </span>
        </div>
        <Options {...options} aria-label={label} className="w-36 shrink-0 sm:w-48" />
      </div>
      {problem}
    </li>
  )
}

export type Column = Choices['columns'][string]
type Props = { lists: Preview['lists']; columnAt(nth: number): Column; onChoose(nth: number, column: Column): void }

const LABELS: Record<Column, string> = { ...STATUS_LABELS, leave: 'Leave out' }

export const ListColumns = ({ lists, columnAt, onChoose }: Props) => (
  <>
    <FoldedList of={lists} label="Lists">
      {({ name, tasks }, nth) => (
        <Choice
          key={nth}
          name={name}
          text={countText(tasks, 'task')}
          label={`Column for ${name}`}
          labels={LABELS}
          value={columnAt(nth)}
          onChoose={(column) => onChoose(nth, column)}
        />
      )}
    </FoldedList>
    <p className="tabular text-quiet empty:hidden" role="status">
      {leftOut(lists, columnAt)}
    </p>
  </>
)

function leftOut(lists: Preview['lists'], columnAt: Props['columnAt']): string {
  const tasks = lists.reduce((sum, list, nth) => (columnAt(nth) === 'leave' ? sum + list.tasks : sum), 0)
  return tasks > 0 ? `${countText(tasks, 'task is', 'tasks are')} left out.` : ''
}

type PeopleProps = { people: Preview['people']; me: string; onMe(me: string): void }

export function People({ people, me, onMe }: PeopleProps) {
  return (
    <>
      <Field label="You are" hint="Work under that name becomes yours.">
        {(tied) => (
          <Select
            {...tied}
            className="w-full max-w-sm"
            value={me}
            onChange={(event: ChangeEvent<HTMLSelectElement>) => onMe(event.target.value)}
          >
            <option value="">None of them</option>
            {people
              .filter(({ former }) => !former)
              .map(({ id, name, email }) => (
                <option key={id} value={id}>
                  {email ? `${name} (${email})` : name}
                </option>
              ))}
          </Select>
        )}
      </Field>
      <FoldedList of={people} label="People">
        {({ id, name, email, rows }) => (
          <li key={id} className="flex items-baseline gap-3 py-2">
            <div className="min-w-0 flex-1">
              <bdi className="wrap-anywhere">{name}</bdi>
              {String(id) === me && <span className="ml-2 text-quiet text-small">You</span>}
              {email && <span className="wrap-anywhere block text-quiet text-small">{email}</span>}
            </div>
            <span className="tabular shrink-0 text-quiet text-small">
              {rows > 0 && `appears ${rows === 1 ? 'once' : countText(rows, 'time')}`}
            </span>
          </li>
        )}
      </FoldedList>
    </>
  )
}

export const Losses = ({ losses, label }: { losses: Loss[]; label: string }) => (
  <FoldedList of={losses} label={label}>
    {({ what, count, examples }) => (
      <li key={what} className="flex items-baseline gap-3 py-2.5">
        <div className="min-w-0 flex-1">
          <p className="text-pretty first-letter:uppercase">{what}</p>
          {examples.length > 0 && (
            <p dir="auto" className="wrap-anywhere line-clamp-3 text-quiet text-small">
              {examples.map((example) => `“${example}”`).join(', ')}
              {count > examples.length && ' …'}
            </p>
          )}
        </div>
        <span className="tabular shrink-0 font-strong">{numberText(count)}</span>
      </li>
    )}
  </FoldedList>
)
