import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { shortDay, WEEKDAYS, weekdayOf } from '../../days'
import { ownZone } from '../../web/clock'
import { stableKey } from '../../web/live/temporaryIds'
import { FOCUSED_AT_END, TextArea } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { useDraft } from '../../web/useDraft'
import { clockOf, NOTE_MAX } from '../limits'
import type { TimeEntry, Timer } from '../schema'
import { editTime, fillTime } from './cache'
import { EntryStrip } from './EntryStrip'
import { minutesOf } from './myTimeCache'
import { parseDuration } from './parseDuration'
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
  onEmptied(entry: TimeEntry): void
}

/** A field if it is clear what typing changes; several entries, or timers, are listed one by one. */
export function TimesheetCell(props: CellProps) {
  const { task, day, entries, locked } = props
  const [first, ...others] = entries
  const label = `${task.title}, ${WEEKDAYS[weekdayOf(day)]} ${shortDay(day)}`
  if (first && (locked || others.length > 0 || first.status !== 'completed')) return <CellEntries {...props} label={label} />
  if (locked) return <span className="flex h-control items-center justify-end px-1.5 text-quiet">–</span>
  return <CellInput {...props} entry={first} label={label} />
}

function CellEntries({ task, entries, now, place, locked, label }: CellProps & { label: string }) {
  const running = entries.some(({ runningSince }) => runningSince)
  // It may have become a field meanwhile.
  const toCell = () => document.querySelector<HTMLElement>(`[data-cell="${place}"]`)?.focus()
  const sum = clockOf(minutesOf(entries, now))
  return (
    <Popover
      trigger={
        <button
          type="button"
          data-cell={place}
          className="tabular flex h-control w-full min-w-14 pointer-coarse:min-w-19 items-center justify-end gap-1.5 rounded-card bg-column pr-1.5 pl-2 hover:bg-hover pointer-coarse:text-touch"
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
              <div key={stableKey('entry', entry.id)} className="flex gap-2">
                <TimerButtons timer={entry} onGone={toCell} />
              </div>
            ),
        )}
        <EntryStrip board={{ id: task.boardId, importedAt: null }} entries={entries} locked={locked} onDeleted={toCell} />
      </PopoverPanel>
    </Popover>
  )
}

type InputProps = Omit<CellProps, 'entries' | 'now' | 'locked'> & { entry: TimeEntry | undefined; label: string }

/** Saves on blur; text that is not a time, or was refused, stays as typed. */
function CellInput({ task, day, entry, place, label, onEmptied }: InputProps) {
  const id = useId()
  const [failure, setFailure] = useState<string>()
  const stored = entry ? clockOf(entry.duration) : ''
  const draft = useDraft(`time-cell-${day}-${task.id}`, { text: stored })
  const { text } = draft.values
  const { minutes, error } = parseDuration(text)
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
    const outcome = await (entry ? editTime(entry, { duration }) : fillTime(task, given))
    if (!outcome && draft.putBack({ text })) setFailure('Not saved.')
  }
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
    // Once the focus has moved on: it comes back there.
    else if (entry) requestAnimationFrame(() => onEmptied(entry))
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
  // Show no error while typing.
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
        className="tabular h-control w-full min-w-14 pointer-coarse:min-w-19 rounded-card bg-surface pr-1.5 pl-2 text-right ring-1 ring-edge ring-inset transition-shadow duration-150 hover:ring-text outline-none focus:ring-2 focus:ring-text aria-invalid:ring-2 aria-invalid:ring-danger"
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

/** `now` is what others entered; empty if they cleared it. */
const overtakenText = (now: string | null) =>
  `This was ${now ? `changed to ${now}` : 'cleared'} while you were editing. Press Enter to save yours, Escape to discard it.`

type NoteProps = {
  id: string
  entry: TimeEntry
  label: string
  open: boolean
  onOpenChange(open: boolean): void
  cell: RefObject<HTMLInputElement | null>
}

/** The note of a cell's only entry: saved on blur, except after Escape. */
function CellNote({ id, entry, label, open, onOpenChange, cell }: NoteProps) {
  const draft = useDraft(`time-note-${entry.id}`, { note: entry.note ?? '' })
  const [failure, setFailure] = useState<string>()
  const { note } = draft.values
  const isDiscarded = useRef(false)
  async function send() {
    if (!(await editTime(entry, { note: note.trim() }))) draft.putBack({ note })
  }
  const change = (next: boolean) => {
    setFailure(undefined)
    if (isDiscarded.current) {
      isDiscarded.current = false
      draft.discard()
      return onOpenChange(next)
    }
    if (!next && draft.isOvertaken('note')) {
      draft.keepMine('note')
      return setFailure(overtakenText(entry.note && `“${entry.note}”`))
    }
    if (!next && draft.typed.note !== undefined) {
      draft.discard()
      if (note.trim() !== (entry.note ?? '')) void send()
    }
    onOpenChange(next)
  }
  const Icon = entry.note ? MessageSquareText : MessageSquarePlus
  return (
    <Popover
      open={open}
      onOpenChange={change}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${entry.note ? 'Note' : 'Add a note'}: ${label}`}
          title={entry.note ?? 'Add a note'}
          className={`absolute inset-y-0 left-0 my-auto grid size-6 place-items-center rounded-chip text-quiet hover:text-text pointed:opacity-100 pointer-coarse:opacity-100 ${entry.note ? '' : 'opacity-0'}`}
        >
          <Icon className="size-3.5" aria-hidden />
        </button>
      }
    >
      {entry.note && (
        <span id={id} className="sr-only">
          Note: {entry.note}
        </span>
      )}
      <PopoverPanel
        label={`Note: ${label}`}
        align="end"
        className="z-30 w-72 gap-2 p-3"
        onEscape={() => {
          isDiscarded.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (document.activeElement === document.body) cell.current?.focus()
        }}
      >
        <p className="flex items-baseline gap-2">
          <bdi className="min-w-0 flex-1 truncate font-strong">{entry.task}</bdi>
          <span className="tabular shrink-0 text-quiet text-small">
            {WEEKDAYS[weekdayOf(entry.day)]} {shortDay(entry.day)}
          </span>
        </p>
        <TextArea
          aria-label="Note"
          placeholder="What did you work on?"
          {...FOCUSED_AT_END}
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => draft.type({ note: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            change(false)
          }}
        />
        {failure && (
          <p role="alert" className="text-danger text-small">
            {failure}
          </p>
        )}
      </PopoverPanel>
    </Popover>
  )
}
