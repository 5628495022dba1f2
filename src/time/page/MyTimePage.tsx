import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { addDays, dayAt, weekStartOf } from '../../basics'
import { TEN_SECONDS, useNow } from '../../web/clock'
import { useMayRead } from '../../web/live/rereads'
import { useFirstWeekday } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { Input } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { durationText } from '../basics'
import type { SheetTask } from '../schema'
import { PageTitle } from './HeaderTimer'
import { useMyTime } from './myTimeCache'
import { groupsOf, minutesOf, useRows, weekText } from './rows'
import { Sheet } from './Sheet'
import { focusRow } from './sheetKeys'
import { usePreloadedTimeFields } from './TimeForm'

/** The viewer's week on all boards, filled in like a spreadsheet. */
export function MyTimePage() {
  const { week } = useSearch({ from: '/time' })
  const navigate = useNavigate()
  const today = dayAt(new Date())
  const first = useFirstWeekday()
  const [from, thisWeek] = [weekStartOf(week ?? today, first), weekStartOf(today, first)]
  const days = { from, to: addDays(from, 6) }
  const { data: time, error, isError, refetch } = useMyTime(days)
  const mayRead = useMayRead()
  const now = useNow(time?.entries.some(({ runningSince }) => runningSince) ?? false, TEN_SECONDS)
  const rows = useRows(from, time)
  usePreloadedTimeFields()
  const go = (start: string) => void navigate({ to: '/time', search: start === thisWeek ? {} : { week: start } })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 px-4 pt-4 pb-4 sm:px-6 lg:pt-6">
      <PageTitle>My time</PageTitle>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-strong">My time</h1>
        <div className="flex items-center gap-1">
          <Button look="quiet" size="icon" aria-label="The week before" onClick={() => go(addDays(from, -7))}>
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          <p aria-live="polite" className="tabular min-w-36 text-center">
            {weekText(days)}
          </p>
          <Button look="quiet" size="icon" aria-label="The week after" onClick={() => go(addDays(from, 7))}>
            <ChevronRight className="size-4" aria-hidden />
          </Button>
          {from !== thisWeek && (
            <Button size="small" onClick={() => go(thisWeek)}>
              This week
            </Button>
          )}
        </div>
        {time && (
          <p className="tabular ml-auto font-strong">
            <span className="sr-only">Week: </span>
            {durationText(minutesOf(time.entries, now))}
          </p>
        )}
      </header>
      {time && (
        <Sheet
          key={from}
          from={from}
          today={today}
          groups={groupsOf(time.entries, rows.added)}
          now={now}
          more={time.more}
          addRow={
            <AddRow
              tasks={rows.others}
              onAdd={(task) => {
                rows.add(task.id)
                focusRow(task.id)
              }}
            />
          }
        />
      )}
      {!time && (isError && mayRead ? <LoadFailed retry={() => void refetch()} error={error} /> : <SheetSkeleton />)}
    </div>
  )
}

const ROWS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36']

const SheetSkeleton = () => (
  <div role="status" aria-label="Loading your time" className="flex flex-col gap-3 pt-10">
    {ROWS.map((width) => (
      <div key={width} className={`h-4 animate-pulse rounded-card bg-edge/30 ${width}`} />
    ))}
  </div>
)

type Props = { tasks: SheetTask[]; onAdd(task: SheetTask): void }

const SHOWN = 50

/** Finds tasks without a row by their titles and boards. */
function AddRow({ tasks, onAdd }: Props) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  const words = text.toLowerCase().split(/\s+/)
  const found = tasks.filter(({ title, board }) => words.every((word) => `${title} ${board}`.toLowerCase().includes(word)))
  const change = (next: boolean) => {
    setOpen(next)
    setText('')
  }
  const add = (task: SheetTask) => {
    added.current = true
    change(false)
    onAdd(task)
  }
  const options = () => [...(list.current?.querySelectorAll('button') ?? [])]
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const at = options().findIndex((option) => option.matches(':focus'))
    options()[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    event.preventDefault()
  }
  return (
    <Popover
      open={open}
      onOpenChange={change}
      trigger={
        <Button size="small">
          <Plus className="size-3.5" aria-hidden />
          Add a row
        </Button>
      }
    >
      <PopoverPanel
        label="Add a row"
        className="z-30 w-96 gap-2 p-3"
        onCloseAutoFocus={(event) => {
          // The new row takes the focus.
          if (added.current) event.preventDefault()
          added.current = false
        }}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its field and buttons are what has the focus */}
        <div onKeyDown={walk} className="flex flex-col gap-2">
          <Input
            aria-label="Find one of your tasks"
            placeholder="Find one of your tasks"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={({ key }) => key === 'Enter' && found[0] && add(found[0])}
          />
          <ul ref={list} className="-mx-1 flex max-h-72 flex-col overflow-y-auto">
            {found.slice(0, SHOWN).map((task) => (
              <li key={task.id}>
                <button
                  type="button"
                  onClick={() => add(task)}
                  className="flex w-full items-baseline gap-2 rounded-card px-2 py-1.5 text-left hover:bg-hover"
                >
                  <bdi className={`min-w-0 flex-1 truncate ${task.status === 'done' ? 'text-quiet line-through' : ''}`}>
                    {task.title}
                  </bdi>
                  <bdi className="max-w-32 shrink-0 truncate text-quiet text-small">{task.board}</bdi>
                </button>
              </li>
            ))}
          </ul>
          <p role="status" className="text-quiet text-small empty:hidden">
            {tasks.length === 0 && 'You have no other assigned or recent tasks. Log time on any task from its card.'}
            {tasks.length > 0 && found.length === 0 && 'No other assigned or recent task matches.'}
            {found.length > SHOWN && `Showing the first ${SHOWN}. Type to find others.`}
          </p>
        </div>
      </PopoverPanel>
    </Popover>
  )
}
