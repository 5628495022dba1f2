import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Board } from '../../../boards/schema'
import type { Task } from '../../../tasks/schema'
import { displayName, type UserSummary } from '../../../users/schema'
import { Button } from '../../../web/ui/Button'
import { DayInput } from '../../../web/ui/DayInput'
import { Field } from '../../../web/ui/Field'
import { Select } from '../../../web/ui/Select'
import type { Report } from '../schema'
import { ChooseMany } from './ChooseMany'
import { PERIODS, type Period } from './periods'
import type { useLogFilter } from './useLogFilter'

type Props = { board: Board; tasks: Task[]; report: Report | undefined; log: ReturnType<typeof useLogFilter> }

export function LogFilters({ board, tasks, report, log }: Props) {
  const { from = '', to = '' } = log.filter
  const first = useRef<HTMLSelectElement>(null)
  const clear = () => {
    log.clear()
    // The button is gone then.
    first.current?.focus()
  }
  const isPeriod = (value: string): value is Period => value in PERIODS
  return (
    <search className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <div className="max-sm:col-span-2">
        <Field label="Period">
          {({ id }) => (
            <Select
              ref={first}
              id={id}
              className="w-full"
              value={log.period}
              onChange={({ target: { value } }) => isPeriod(value) && log.choosePeriod(value)}
            >
              {Object.entries(PERIODS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              {log.period === 'custom' && <option value="custom">Date range</option>}
            </Select>
          )}
        </Field>
      </div>
      <Field label="From" error={from && to && from > to ? 'Later than the last day' : undefined}>
        {(tied) => <DayInput {...tied} past day={from} onDay={(day) => log.chooseDays({ from: day })} />}
      </Field>
      <Field label="To">{(tied) => <DayInput {...tied} past day={to} onDay={(day) => log.chooseDays({ to: day })} />}</Field>
      <Labelled label="Tasks">
        <ChooseMany
          label="Tasks"
          all="All tasks"
          options={tasks.map(({ id, title }) => ({ id, label: title }))}
          chosen={log.filter.taskIds ?? []}
          onChoose={log.chooseTasks}
        />
      </Labelled>
      <Labelled label="Users">
        <ChooseMany
          label="Users"
          all="All users"
          options={peopleOf(board, report).map((user) => ({ id: user.id, label: displayName(user) }))}
          chosen={log.filter.userIds ?? []}
          onChoose={log.chooseUsers}
        />
      </Labelled>
      {log.isActive && (
        <Button size="small" look="quiet" className="justify-self-start sm:col-span-3 lg:col-span-5" onClick={clear}>
          <X className="size-4" aria-hidden />
          Clear filters
        </Button>
      )}
    </search>
  )
}

export function peopleOf(board: Board, report: Report | undefined): UserSummary[] {
  const others =
    report?.byUser.map(({ user }) => user).filter(({ id }) => !board.members.some((member) => member.id === id)) ?? []
  return [...board.members, ...others]
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <span className="font-strong" aria-hidden>
      {label}
    </span>
    {children}
  </div>
)
