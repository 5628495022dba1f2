import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Pencil from 'lucide-react/icons/pencil'
import Square from 'lucide-react/icons/square'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { mayChangeTimeEntry } from '../../access'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Select } from '../../web/ui/Field'
import { dayText } from '../limits'
import { PAGE_SIZES, type ReportRow, type TimeEntry } from '../schema'
import { ConfirmDelete, EditTime } from './EditTime'
import { EntryTime, momentText, NotBillable, PAGE_STEP } from './EntryStrip'
import { amountText } from './reportCache'
import { useStop } from './TimerButtons'

type Props = { rows: ReportRow[]; locked: boolean; onDeleted(): void }

export function LogTable({ rows, locked, onDeleted }: Props) {
  const [edited, setEdited] = useState<TimeEntry>()
  const [deleted, setDeleted] = useState<TimeEntry>()
  const { stop, form } = useStop(onDeleted)
  const edit = (entry: ReportRow) => {
    if (entry.status === 'completed') setEdited(entry)
    else if (stop(entry)) onDeleted()
  }
  return (
    <>
      <table className="w-full border-collapse text-left max-sm:block">
        <caption className="sr-only">Time entries</caption>
        <thead className="text-quiet text-small max-sm:sr-only">
          <tr className="border-line border-b">
            {['Task', 'User', 'Date', 'Duration', 'Notes', 'Actions'].map((name) => (
              <th key={name} scope="col" className={`py-2 pr-4 font-strong ${name === 'Duration' ? 'text-right' : ''}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((entry) => (
            <Row key={entry.id} entry={entry} locked={locked} onEdit={() => edit(entry)} onDelete={() => setDeleted(entry)} />
          ))}
        </tbody>
      </table>
      {edited && (
        <EditTime
          entry={rows.find(({ id }) => id === edited.id) ?? edited}
          onClose={() => setEdited(undefined)}
          onDeleted={onDeleted}
        />
      )}
      {form}
      <ConfirmDelete entry={deleted} onClose={() => setDeleted(undefined)} onDeleted={onDeleted} />
    </>
  )
}

const CELL = 'py-2.5 pr-4 align-top max-sm:p-0'

type RowProps = { entry: ReportRow; locked: boolean; onEdit(): void; onDelete(): void }

function Row({ entry, locked, onEdit, onDelete }: RowProps) {
  const { task, user, day, startTime, note, billable, cents } = entry
  const mayChange = mayChangeTimeEntry(useViewer(), entry) && (!locked || entry.status !== 'completed')
  return (
    <tr className="border-line border-b max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      <td className={`${CELL} max-w-56`}>
        <span dir="auto" className="line-clamp-2 text-pretty break-words font-strong">
          {task}
        </span>
      </td>
      <td className={`${CELL} max-sm:order-2`}>
        <span className="-my-0.5 flex items-center gap-2">
          <Avatar user={user} />
          <span dir="auto" className="max-w-32 truncate max-sm:max-w-none">
            {displayName(user)}
          </span>
        </span>
      </td>
      <td className={`${CELL} tabular whitespace-nowrap max-sm:order-3 max-sm:text-right max-sm:text-quiet`}>
        <time dateTime={startTime} title={momentText(startTime)}>
          {dayText(day)}
        </time>
      </td>
      <td className={`${CELL} tabular whitespace-nowrap text-right max-sm:order-1 max-sm:font-strong`}>
        <EntryTime entry={entry} />
        {cents !== null && <span className="block font-normal text-quiet text-small">{amountText(cents)}</span>}
        {!billable && (
          <span className="block font-normal text-small">
            <NotBillable />
          </span>
        )}
      </td>
      <td className={`${CELL} max-w-56 text-quiet max-sm:order-4 max-sm:max-w-none max-sm:self-center`}>
        <span dir="auto" title={note ?? undefined} className="line-clamp-2 whitespace-pre-line break-words">
          {note}
        </span>
      </td>
      <td className={`${CELL} max-sm:order-5 max-sm:text-right`}>
        {mayChange ? (
          <span className="-my-[calc((var(--spacing-icon)-1lh)/2)] flex gap-1 max-sm:-mr-overhang max-sm:justify-end sm:-ml-overhang">
            <Edit entry={entry} onEdit={onEdit} />
            {!locked && (
              <Button look="quiet" size="icon" aria-label="Delete time entry" title="Delete" onClick={onDelete}>
                <Trash2 className="size-3.5" aria-hidden />
              </Button>
            )}
          </span>
        ) : (
          <span className="text-quiet max-sm:hidden">
            <span aria-hidden>–</span>
            <span className="sr-only">None</span>
          </span>
        )}
      </td>
    </tr>
  )
}

function Edit({ entry, onEdit }: { entry: TimeEntry; onEdit(): void }) {
  const [label, Icon] = entry.status === 'completed' ? (['Edit', Pencil] as const) : (['Stop', Square] as const)
  return (
    <Button look="quiet" size="icon" aria-label={`${label} time entry`} title={label} onClick={onEdit}>
      <Icon className="size-3.5" aria-hidden />
    </Button>
  )
}

type PageSize = (typeof PAGE_SIZES)[number]
type PaginationProps = {
  page: number
  pageSize: PageSize
  entries: number
  onPage(page: number): void
  onPageSize(size: PageSize): void
}

export function Pagination({ page, pageSize, entries, onPage, onPageSize }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(entries / pageSize))
  const sizeOf = (value: string) => PAGE_SIZES.find((size) => String(size) === value)
  return (
    <div className="dense flex flex-wrap items-center justify-between gap-3">
      <p className="flex items-center gap-2 text-quiet text-small">
        <span aria-hidden>Rows per page</span>
        <Select
          aria-label="Rows per page"
          value={pageSize}
          onChange={({ target: { value } }) => onPageSize(sizeOf(value) ?? pageSize)}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </Select>
      </p>
      {pages > 1 && (
        <nav aria-label="Pages" className="flex flex-wrap items-center gap-1">
          <Button
            {...PAGE_STEP}
            aria-label="Previous page"
            aria-disabled={page <= 1}
            onClick={() => onPage(Math.max(1, page - 1))}
          >
            <ChevronLeft className="size-4" aria-hidden />
          </Button>
          {pagesAround(page, pages).map((shown, nth) =>
            shown === 'gap' ? (
              <span key={`gap-${nth}`} className="w-7 text-center text-quiet" aria-hidden>
                …
              </span>
            ) : (
              <Button
                key={shown}
                look={shown === page ? 'primary' : 'quiet'}
                size="small"
                className="tabular min-w-8"
                aria-label={`Page ${shown}`}
                aria-current={shown === page ? 'page' : undefined}
                onClick={() => onPage(shown)}
              >
                {shown}
              </Button>
            ),
          )}
          <Button
            {...PAGE_STEP}
            aria-label="Next page"
            aria-disabled={page >= pages}
            onClick={() => onPage(Math.min(pages, page + 1))}
          >
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </nav>
      )}
    </div>
  )
}

const ALL_PAGES = 7

/** The first page, the last, those around the current one, and gaps between. */
export function pagesAround(page: number, pages: number): (number | 'gap')[] {
  if (pages <= ALL_PAGES) return range(1, pages)
  // Always the same number of items, so that nothing moves under the pointer.
  if (page <= 4) return [...range(1, 5), 'gap', pages]
  if (page >= pages - 3) return [1, 'gap', ...range(pages - 4, pages)]
  return [1, 'gap', ...range(page - 1, page + 1), 'gap', pages]
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth)
