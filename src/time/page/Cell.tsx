import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { shortDay, WEEKDAYS, weekdayOf } from '../../days'
import { summaryOf, type UserSummary } from '../../users/schema'
import { ownZone } from '../../web/clock'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { useDraft } from '../../web/useDraft'
import { clockOf } from '../limits'
import type { TimeEntry, Timer } from '../schema'
import { CellNote, overtakenText } from './CellNote'
import { fillTime, refillTime } from './cache'
import { EntryStrip } from './EntryStrip'
import { minutesOf } from './myTimeCache'
import type { EntryTask } from './predictions'
import { onDay } from './TimeForm'
import { TimerButtons } from './TimerButtons'

/** `place` is the number of the row and of the day. */
type CellProps = {
  task: EntryTask
  day: string
  entries: Timer[]
  now: number
  place: string
  locked: boolean
  viewer: UserSummary
  onEmptied(entry: TimeEntry): void
}

/** A field if it is clear what typing changes; several entries and timers are shown one by one. */
export function Cell(props: CellProps) {
  const { task, day, entries, locked } = props
  const [first, ...others] = entries
  const label = `${task.title}, ${WEEKDAYS[weekdayOf(day)]} ${shortDay(day)}`
  if (first && (locked || others.length > 0 || first.status !== 'completed')) return <CellEntries {...props} label={label} />
  if (locked) return <span className="flex h-control items-center justify-end px-2 text-quiet">–</span>
  return <CellInput {...props} entry={first} label={label} />
}

function CellEntries({ task, entries, now, place, locked, label }: CellProps & { label: string }) {
  const cell = useRef<HTMLButtonElement>(null)
  const running = entries.some(({ runningSince }) => runningSince)
  const toCell = () => cell.current?.focus()
  const sum = clockOf(minutesOf(entries, now))
  return (
    <Popover
      trigger={
        <button
          type="button"
          ref={cell}
          data-cell={place}
          className="tabular flex h-control w-full min-w-14 items-center justify-end gap-1.5 rounded-card bg-column px-2 hover:bg-hover pointer-coarse:text-touch"
        >
          {running && <span className="size-1.5 rounded-full bg-done" aria-hidden />}
          {entries.length > 1 && (
            <span className="text-quiet text-small" aria-hidden>
              {entries.length}×
            </span>
          )}
          <span aria-hidden>{sum}</span>
          <span className="sr-only">
            {`${label}: ${sum}, ${running ? 'a timer is running' : entries.length === 1 ? '1 entry' : `${entries.length} entries`}`}
          </span>
        </button>
      }
    >
      <PopoverPanel label={label} align="end">
        {entries.map(
          (entry) =>
            entry.status !== 'completed' && (
              <div key={entry.id} className="flex gap-2">
                <TimerButtons boardId={task.boardId} timer={entry} onGone={toCell} />
              </div>
            ),
        )}
        <EntryStrip
          board={{ id: task.boardId, importedAt: null }}
          entries={entries}
          more={false}
          locked={locked}
          onEarlier={() => {}}
          onDeleted={toCell}
        />
      </PopoverPanel>
    </Popover>
  )
}

type InputProps = Omit<CellProps, 'entries' | 'now' | 'locked'> & { entry: TimeEntry | undefined; label: string }

/** Saves when it loses the focus; a text that is no time, or was refused, stays as it was typed. */
function CellInput({ task, day, entry, place, viewer, label, onEmptied }: InputProps) {
  const id = useId()
  const [failure, setFailure] = useState<string>()
  const stored = entry ? clockOf(entry.duration) : ''
  const draft = useDraft(`time-cell-${day}-${task.id}`, { text: stored })
  const { text } = draft.values
  const { minutes, error } = typedTime(text)
  const [isFocused, setFocused] = useState(false)
  const [isNoting, setNoting] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  async function send(duration: number) {
    const given = {
      startTime: onDay(day, new Date()).toISOString(),
      duration,
      note: '',
      billable: true,
      timeZone: ownZone(),
      notify: false,
    }
    const outcome = await (entry ? refillTime(entry, duration) : fillTime({ task, user: summaryOf(viewer), given }))
    if (outcome) return
    draft.type({ text })
    setFailure('Not saved.')
  }
  /** Whether there is time in it afterwards. */
  function save(): boolean {
    if (draft.typed.text === undefined) return entry !== undefined
    if (minutes === undefined) return false
    if (draft.isOvertaken('text')) {
      draft.keepMine('text')
      setFailure(overtakenText(stored))
      return false
    }
    draft.discard()
    if (minutes === (entry?.duration ?? 0)) return entry !== undefined
    if (minutes > 0) void send(minutes)
    else if (entry) onEmptied(entry)
    return minutes > 0
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'F2' && event.shiftKey) {
      event.preventDefault()
      if (save()) setNoting(true)
    } else if (event.key === 'Escape') {
      draft.discard()
      setFailure(undefined)
    }
  }
  // Nothing is called wrong while it is being typed.
  const shown = failure ?? (isFocused || draft.typed.text === undefined ? undefined : error)
  return (
    <div className="item relative">
      <input
        ref={field}
        id={id}
        data-cell={place}
        aria-label={label}
        aria-invalid={!!shown}
        aria-describedby={shown ? `${id}-failure` : entry?.note ? `${id}-note` : undefined}
        aria-keyshortcuts="Shift+F2"
        autoComplete="off"
        value={text}
        onFocus={() => setFocused(true)}
        onChange={(event) => {
          draft.type({ text: event.target.value })
          setFailure(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setFocused(false)
          save()
        }}
        className="tabular h-control w-full min-w-14 rounded-card bg-surface px-2 text-right ring-1 ring-line ring-inset transition-shadow duration-150 hover:ring-edge outline-none focus:ring-text keyed:ring-2 aria-invalid:ring-2 aria-invalid:ring-danger"
      />
      {entry && <CellNote id={`${id}-note`} entry={entry} label={label} open={isNoting} onOpenChange={setNoting} cell={field} />}
      {shown && (
        <p
          id={`${id}-failure`}
          role="alert"
          className="absolute top-full right-0 z-20 mt-0.5 w-max max-w-64 rounded-card bg-raised px-2 py-1 text-danger text-small shadow-panel"
        >
          {shown}
        </p>
      )}
    </div>
  )
}

const MINUTES_A_DAY = 1_440

const HOURS_AND_MINUTES = /^(\d{1,4})?:(\d{1,2})$/
const WITH_UNITS = /^(?:(\d{1,4}(?:[.,]\d{1,4})?)\s*(?:h|hrs?|hours?)\s*)?(?:(\d{1,6})\s*(?:m|mins?|minutes?)?)?$/
const HOURS = /^(\d{0,4}[.,]\d{1,4}|\d{1,4})$/

export const NOT_UNDERSTOOD = 'Try 1:30, 1.5, 1h 30m or 90m.'
export const TOO_LONG = 'A day has 24 hours.'

const number = (text = '0') => Number(text.replace(',', '.'))

/** A number alone means hours. Undefined if the text is no time. */
function minutesIn(text: string): number | undefined {
  if (HOURS.test(text)) return number(text) * 60
  const clock = HOURS_AND_MINUTES.exec(text)
  if (clock) return number(clock[2]) < 60 ? number(clock[1]) * 60 + number(clock[2]) : undefined
  const units = WITH_UNITS.exec(text)
  return units?.[1] === undefined && units?.[2] === undefined ? undefined : number(units[1]) * 60 + number(units[2])
}

type Typed = { minutes: number; error?: never } | { error: string; minutes?: never }

/** The time of a day as people write it; an empty text is 0. */
export function typedTime(typed: string): Typed {
  const text = typed.trim().toLowerCase()
  const minutes = text === '' ? 0 : minutesIn(text)
  if (minutes === undefined) return { error: NOT_UNDERSTOOD }
  return minutes > MINUTES_A_DAY ? { error: TOO_LONG } : { minutes: Math.round(minutes) }
}
