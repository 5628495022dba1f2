import { useNavigate, useSearch } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Plus from 'lucide-react/icons/plus'
import * as Radix from 'radix-ui/popover'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { addDays, weekStartOf } from '../../days'
import { useSearchResults } from '../../finder/page/cache'
import { foldCase } from '../../format'
import { TEN_SECONDS, useDay, useNow } from '../../web/clock'
import { useMayRead } from '../../web/live/rereads'
import { useFirstWeekday } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { Input } from '../../web/ui/Field'
import { PopoverPanel } from '../../web/ui/Popover'
import { clockOf } from '../limits'
import type { SheetTask } from '../schema'
import { PageTitle } from './HeaderTimer'
import { groupsOf, minutesOf, useMyTime, useRows, weekText } from './myTimeCache'
import { usePreloadedTimeFields } from './TimeForm'
import { focusRow, Timesheet } from './Timesheet'

/** The viewer's week on all boards, edited like a spreadsheet. */
export function MyTimePage() {
  const { week } = useSearch({ from: '/time' })
  const navigate = useNavigate()
  const today = useDay()
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
    <div className="page dense pb-4 *:max-w-240 short:pb-0">
      <PageTitle>My time</PageTitle>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-strong">My time</h1>
        <div className="flex items-center gap-1 pointer-coarse:-my-1.5 max-md:order-last max-md:-ml-overhang max-md:basis-full">
          <Button look="quiet" size="icon" aria-label="Previous week" onClick={() => go(addDays(from, -7))}>
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          <p aria-live="polite" className="tabular min-w-36 text-center">
            {weekText(days)}
          </p>
          <Button look="quiet" size="icon" aria-label="Next week" onClick={() => go(addDays(from, 7))}>
            <ChevronRight className="size-4" aria-hidden />
          </Button>
          {from !== thisWeek && (
            <Button size="small" onClick={() => go(thisWeek)}>
              This week
            </Button>
          )}
        </div>
        {/* On wider pages the table has it. */}
        {time && (
          <p className="tabular ml-auto pr-2 font-strong md:hidden">
            <span className="font-normal text-quiet">Week </span>
            {clockOf(minutesOf(time.entries, now))}
          </p>
        )}
      </header>
      {time && (
        <Timesheet
          key={from}
          from={from}
          today={today}
          groups={groupsOf(time.entries, rows.added)}
          now={now}
          more={time.more}
          addTask={
            <AddTask
              likely={rows.others}
              isOpen={rows.isOpen}
              onAdd={(task) => {
                rows.add(task)
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

/** A sheet of three tasks. */
const SheetSkeleton = () => (
  <>
    <div className="h-17 rounded-card bg-column md:hidden" />
    <div role="status" aria-label="Loading your time" className="border-line pt-9.5 md:mt-13 md:mr-2 md:border-t">
      <div className="skeleton h-[calc(3*var(--row))] [--row:calc(var(--spacing-control)+0.25rem)]" />
    </div>
  </>
)

type Props = { likely: SheetTask[]; isOpen(task: SheetTask): boolean; onAdd(task: SheetTask): void }

const SHOWN = 50
const TEXT_MAX = 200

/** Searches tasks of all boards: first likely ones, then the server's results. */
function AddTask({ likely, isOpen, onAdd }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<number>()
  const { found, isSearching, failure } = useFoundTasks(text.trim())
  const words = foldCase(text).split(/\s+/)
  const own = likely.filter(({ title, board }) => words.every((word) => foldCase(`${title} ${board}`).includes(word)))
  const others = found.filter((task) => isOpen(task) && !own.some((one) => one.id === task.id))
  const tasks = [...own, ...others]
  const shown = tasks.slice(0, SHOWN)
  const active = shown.find((task) => task.id === chosen) ?? shown[0]
  const close = () => {
    setOpen(false)
    setText('')
    setChosen(undefined)
  }
  const add = (task: SheetTask) => {
    close()
    onAdd(task)
  }
  const idOf = (task: SheetTask) => `${id}-${task.id}`
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const next = active && shown[(shown.indexOf(active) + step + shown.length) % shown.length]
      if (!open) setOpen(true)
      else if (next) {
        setChosen(next.id)
        document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
      }
    } else if (event.key === 'Enter' && open && active) add(active)
    else if (event.key === 'Escape' && open) close()
    else return
    event.preventDefault()
  }
  return (
    // Escape and leaving the field close it.
    <Radix.Root open={open} onOpenChange={() => {}}>
      <Radix.Anchor asChild>
        <div className="dense relative max-w-80">
          <Plus className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet" aria-hidden />
          <Input
            role="combobox"
            aria-label="Add a task"
            placeholder="Add a task"
            aria-autocomplete="list"
            aria-expanded={open && shown.length > 0}
            aria-controls={open ? id : undefined}
            aria-activedescendant={open && active ? idOf(active) : undefined}
            autoComplete="off"
            maxLength={TEXT_MAX}
            className="pl-8"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(undefined)
              setOpen(true)
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
        </div>
      </Radix.Anchor>
      <PopoverPanel
        label="Tasks"
        className="z-30 w-96 p-2"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
      >
        <div id={id} role="listbox" aria-label="Tasks" className="flex flex-col">
          {shown.map((task) => (
            <button
              key={task.id}
              type="button"
              role="option"
              id={idOf(task)}
              tabIndex={-1}
              aria-selected={task === active}
              // The field keeps the focus until one is chosen.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onPointerMove={() => setChosen(task.id)}
              onClick={() => add(task)}
              className="flex min-h-control w-full items-center gap-3 rounded-card px-2 text-left aria-selected:bg-hover"
            >
              <bdi className={`min-w-0 flex-1 truncate ${task.status === 'done' ? 'text-quiet line-through' : ''}`}>
                {task.title}
              </bdi>
              <bdi className="max-w-32 shrink-0 truncate text-quiet text-small">{task.board}</bdi>
            </button>
          ))}
        </div>
        <p role="status" className="px-2 py-1 text-quiet text-small empty:hidden">
          {shown.length === 0 &&
            (isSearching ? 'Searching…' : text.trim() === '' ? 'Type the name of a task.' : 'No tasks match.')}
          {tasks.length > SHOWN && `Showing the first ${SHOWN}. Type to find more.`}
          {failure && text.trim() !== '' && ` ${failure}: only your own and recent tasks are searched.`}
        </p>
      </PopoverPanel>
    </Radix.Root>
  )
}

const NONE: SheetTask[] = []

/** Nothing for an earlier text: Enter must not add another text's result. */
function useFoundTasks(text: string) {
  const { data, isCurrent, ...state } = useSearchResults(text)
  const found = useMemo(
    () =>
      !data || !isCurrent || text === ''
        ? NONE
        : data.tasks.map(({ id, title, status, board }) => ({ id, title, status, boardId: board.id, board: board.name })),
    [data, isCurrent, text],
  )
  return { found, ...state }
}
