import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Lock from 'lucide-react/icons/lock'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { mayChangeTimeEntry } from '../../access'
import { isImported } from '../../boards/limits'
import { durationText } from '../../format'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { clockText, useNow } from '../../web/clock'
import { stableKey } from '../../web/live/temporaryIds'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Hint } from '../../web/ui/Hint'
import { dayText, elapsedMs, NOT_YOURS, wholeMinutes } from '../limits'
import type { TimeEntry } from '../schema'
import { EditTime } from './EditTime'

type StripBoard = { id: number; importedAt: string | null }
type Props = {
  board: StripBoard
  entries: TimeEntry[]
  /** Whether there are earlier entries, which only `onAll` shows. */
  more?: boolean
  locked: boolean
  onAll?(): void
  onDeleted(): void
}

export function EntryStrip({ board, entries, more = false, locked, onAll, onDeleted }: Props) {
  const [wanted, setWanted] = useState(1)
  const [edited, setEdited] = useState<TimeEntry>()
  const { shown, page, pages } = stripPage(entries, wanted)
  return (
    <>
      <ul aria-label="Time entries" className="flex flex-col gap-2">
        {shown.map((entry) => (
          <EntryRow
            key={stableKey('entry', entry.id)}
            board={board}
            entry={entry}
            locked={locked}
            onEdit={() => setEdited(entry)}
          />
        ))}
      </ul>
      {pages > 1 && (
        <div className="flex items-center justify-between text-quiet text-small">
          <Button
            {...PAGE_STEP}
            aria-label="Later time entries"
            aria-disabled={page === 1}
            onClick={() => setWanted(Math.max(1, page - 1))}
          >
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          <span className="tabular" aria-live="polite">
            {page} of {pages}
            {more && '+'}
          </span>
          {onAll && (
            <Button look="quiet" size="small" aria-label="All time entries" onClick={onAll}>
              All
            </Button>
          )}
          <Button
            {...PAGE_STEP}
            aria-label="Earlier time entries"
            aria-disabled={page === pages}
            onClick={() => setWanted(Math.min(pages, page + 1))}
          >
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </div>
      )}
      {edited && (
        <EditTime
          entry={entries.find(({ id }) => id === edited.id) ?? edited}
          onClose={() => setEdited(undefined)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

/** Not `disabled`: on the last page the button would lose the focus. */
export const PAGE_STEP = {
  look: 'quiet',
  size: 'icon',
  className: 'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
} as const

type EntryProps = { board: StripBoard; entry: TimeEntry; locked: boolean; onEdit(): void }

function EntryRow({ board, entry, locked, onEdit }: EntryProps) {
  const viewer = useViewer()
  const { user, day, startTime, note, billable } = entry
  const mayEdit = mayChangeTimeEntry(viewer, entry)
  // A timer is changed by stopping it.
  const isEditable = !locked && entry.status === 'completed'
  return (
    <li className="flex items-start gap-2 text-small">
      <Avatar user={user} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-6 items-center justify-between gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-1.5">
            <p className="tabular font-strong">
              <EntryTime entry={entry} />
            </p>
            {!billable && <NotBillable />}
            {isImported(board, entry.createdAt) && <span className="shrink-0 text-quiet">imported</span>}
          </div>
          {isEditable && (mayEdit ? <Edit onEdit={onEdit} /> : <NotEditable />)}
        </div>
        <p className="flex gap-1.5 text-quiet">
          <time dateTime={startTime} title={momentText(startTime)} className="tabular shrink-0">
            {dayText(day)}
          </time>
          <span aria-hidden>·</span>
          <span dir="auto" title={displayName(user)} className="truncate">
            {displayName(user)}
          </span>
        </p>
        {note && (
          <p dir="auto" title={note} className="line-clamp-2 break-words">
            {note}
          </p>
        )}
      </div>
    </li>
  )
}

/** No taller than its line, with the icon at the edge of the list. */
const AT_EDGE = '-my-1 -mr-2 pointer-coarse:-my-2.5 pointer-coarse:-mr-3.5'

const Edit = ({ onEdit }: { onEdit(): void }) => (
  <Button look="quiet" size="icon" className={AT_EDGE} aria-label="Edit time entry" onClick={onEdit}>
    <Pencil className="size-3.5" aria-hidden />
  </Button>
)

const NOT_OWN = { title: 'Cannot edit time entry', description: NOT_YOURS }

// Not `disabled`, so that pointer and keyboard users can read why.
const NotEditable = () => (
  <Hint text={NOT_OWN.description} soon>
    <Button
      look="quiet"
      size="icon"
      aria-disabled
      aria-label={NOT_OWN.title}
      className={AT_EDGE}
      onClick={() => toast({ variant: 'destructive', ...NOT_OWN })}
    >
      <Lock className="size-3.5" aria-hidden />
    </Button>
  </Hint>
)

export function EntryTime({ entry }: { entry: TimeEntry }) {
  const running = entry.status === 'ACTIVE'
  const now = useNow(running)
  if (!running && entry.status !== 'PAUSED') return durationText(entry.duration)
  return `${running ? 'Active' : 'Paused'}: ${clockText(elapsedMs(entry, now))}`
}

export const NotBillable = () => <span className="shrink-0 text-quiet text-small">Not billable</span>

export function TotalTime({ minutes, entries }: { minutes: number; entries: TimeEntry[] }) {
  const running = entries.filter(({ status }) => status === 'ACTIVE')
  const now = useNow(running.length > 0)
  const counting = running.reduce((sum, entry) => sum + wholeMinutes(elapsedMs(entry, now)), 0)
  return durationText(minutes + counting)
}

const STRIP = 3

/** Falls back to the last page if the wanted one is gone. */
export function stripPage<T>(entries: T[], wanted: number): { shown: T[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(entries.length / STRIP))
  const page = Math.min(wanted, pages)
  return { shown: entries.slice((page - 1) * STRIP, page * STRIP), page, pages }
}

/** "MMM d, yyyy h:mm a" in the viewer's time zone. */
export function momentText(iso: string): string {
  const moment = new Date(iso)
  const day = moment.toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `${day} ${moment.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}
