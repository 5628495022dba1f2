import ChevronDown from 'lucide-react/icons/chevron-down'
import ListFilter from 'lucide-react/icons/list-filter'
import { type ReactNode, useRef, useState } from 'react'
import type { Board } from '../../boards/schema'
import { foldCase } from '../../format'
import type { Task } from '../../tasks/schema'
import { SEARCHED_ABOVE } from '../../users/limits'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { DayInput } from '../../web/ui/DayInput'
import { Field, Input, Select } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import type { Report } from '../schema'
import { PERIODS, type Period, type useLogFilter } from './logFilter'

type Props = { board: Board; tasks: Task[]; report: Report | undefined; log: ReturnType<typeof useLogFilter> }

export function LogFilters({ board, tasks, report, log }: Props) {
  const { from = '', to = '' } = log.filter
  const first = useRef<HTMLSelectElement>(null)
  /** Folded on a phone, also in landscape, where they would fill the screen. */
  const [isFolded, setFolded] = useState(!log.isActive)
  const clear = () => {
    log.clear()
    // The button is removed then.
    first.current?.focus()
  }
  const isPeriod = (value: string): value is Period => value in PERIODS
  return (
    <search className="dense grid grid-cols-2 items-start gap-3 roomy:max-lg:grid-cols-6 lg:grid-cols-5">
      <div className={isFolded ? 'roomy:max-lg:col-span-2' : 'max-lg:col-span-2'}>
        <Field
          label="Period"
          aside={
            log.isActive && (
              <Button size="small" look="quiet" className="-my-2.5 -mr-3" onClick={clear}>
                Clear filters
              </Button>
            )
          }
        >
          {({ id }) => (
            <Select
              ref={first}
              id={id}
              className="w-full"
              value={log.period}
              onChange={({ target: { value } }) => isPeriod(value) && log.choose({ period: value })}
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
      {isFolded && (
        <Button className="self-end roomy:hidden" onClick={() => setFolded(false)}>
          <ListFilter className="size-4" aria-hidden />
          Filters
        </Button>
      )}
      <div className={`contents roomy:max-lg:[&>:not([data-half])]:col-span-2 ${isFolded ? 'max-sm:hidden short:hidden' : ''}`}>
        <Field label="From" error={from && to && from > to ? 'Must be on or before “To”' : undefined}>
          {(tied) => <DayInput {...tied} past day={from} onDay={(day) => log.chooseDays({ from: day })} />}
        </Field>
        <Field label="To">{(tied) => <DayInput {...tied} past day={to} onDay={(day) => log.chooseDays({ to: day })} />}</Field>
        <Labelled label="Tasks">
          <ChooseMany
            label="Tasks"
            all="All tasks"
            options={tasks.map(({ id, title }) => ({ id, label: title }))}
            chosen={log.taskIds}
            onChoose={(taskIds) => log.choose({ taskIds })}
          />
        </Labelled>
        <Labelled label="Users">
          <ChooseMany
            label="Users"
            all="All users"
            options={peopleOf(board, report).map((user) => ({ id: user.id, label: displayName(user) }))}
            chosen={log.userIds}
            onChoose={(userIds) => log.choose({ userIds })}
          />
        </Labelled>
      </div>
    </search>
  )
}

export function peopleOf(board: Board, report: Report | undefined): UserSummary[] {
  const others =
    report?.byUser.map(({ user }) => user).filter(({ id }) => !board.members.some((member) => member.id === id)) ?? []
  return [...board.members, ...others]
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div data-half className="flex min-w-0 flex-col gap-1.5 roomy:max-lg:col-span-3">
    <span className="font-strong" aria-hidden>
      {label}
    </span>
    {children}
  </div>
)

type ChooseProps = {
  label: string
  all: string
  options: { id: number; label: string }[]
  chosen: number[]
  onChoose(ids: number[]): void
}

function ChooseMany({ label, all, options, chosen, onChoose }: ChooseProps) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const { shown, more } = choicesIn(options, text)
  const searchLabel = `Search ${label.toLowerCase()}`
  const [first] = options.filter(({ id }) => chosen.includes(id))
  const summary = chosen.length === 0 ? all : chosen.length === 1 && first ? first.label : `${chosen.length} selected`
  const toggle = (id: number) => onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  const chooseAll = () => {
    onChoose([])
    // The button is removed then.
    list.current?.querySelector('input')?.focus()
  }
  return (
    <Popover
      onOpenChange={() => setText('')}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${summary}`}
          className="flex h-field min-w-0 items-center gap-2 pr-2.5 pl-3 control"
        >
          <span dir="auto" className="min-w-0 flex-1 truncate text-left">
            {summary}
          </span>
          <ChevronDown className="size-4 shrink-0 text-quiet" aria-hidden />
        </button>
      }
    >
      <PopoverPanel label={label} className="z-50 w-80 gap-2 p-3">
        {options.length > SEARCHED_ABOVE && (
          <Input
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <ul ref={list} className="-mx-1 flex max-h-76 flex-col overflow-y-auto">
          {shown.map(({ id, label }) => (
            <li key={id}>
              <label className="flex min-h-control items-center gap-2 rounded-card px-2 py-1.5 hover:bg-hover">
                <input type="checkbox" className="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
                <span dir="auto" className="min-w-0 truncate">
                  {label}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {more && <p className="text-quiet text-small">{MORE_CHOICES}</p>}
        {chosen.length > 0 && (
          <Button size="small" look="quiet" className="self-start" onClick={chooseAll}>
            {all}
          </Button>
        )}
      </PopoverPanel>
    </Popover>
  )
}

const CHOICES = 100

/** The options whose label contains a text; `more` if there are others. */
export function choicesIn<T extends { label: string }>(options: T[], text: string): { shown: T[]; more: boolean } {
  const wanted = foldCase(text.trim())
  const found = options.filter(({ label }) => foldCase(label).includes(wanted))
  return { shown: found.slice(0, CHOICES), more: found.length > CHOICES }
}

export const MORE_CHOICES = `Showing the first ${CHOICES}. Type to find more.`
