import { Pencil, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { mayChangeTimeEntry } from '../../../access'
import { useViewer } from '../../../auth/page/cache'
import { Avatar } from '../../../users/page/Avatar'
import { displayName } from '../../../users/schema'
import { Button } from '../../../web/ui/Button'
import { ConfirmDelete } from '../../entries/page/DeleteTime'
import { momentText } from '../../entries/page/display'
import { EditTime } from '../../entries/page/EditTime'
import { EntryTime, NotBillable } from '../../entries/page/EntryTime'
import { dayText, type TimeEntry } from '../../entries/schema'
import { amountText } from '../../rates/page/amountText'
import { StopTimer } from '../../timers/page/StopTimer'
import type { ReportRow } from '../schema'

type Props = { boardId: number; rows: ReportRow[]; locked: boolean; onDeleted(): void }

export function LogTable({ boardId, rows, locked, onDeleted }: Props) {
  const [edited, setEdited] = useState<TimeEntry>()
  const [deleted, setDeleted] = useState<TimeEntry>()
  const close = () => setEdited(undefined)
  const Form = edited?.status === 'completed' ? EditTime : undefined
  return (
    <>
      <table className="w-full border-collapse text-left max-sm:block">
        <caption className="sr-only">Time entries</caption>
        <thead className="text-quiet text-small max-sm:sr-only">
          <tr className="border-line border-b">
            {['Task', 'User', 'Date', 'Duration', 'Notes', 'Actions'].map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-strong">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((entry) => (
            <Row
              key={entry.id}
              entry={entry}
              locked={locked}
              onEdit={() => setEdited(entry)}
              onDelete={() => setDeleted(entry)}
            />
          ))}
        </tbody>
      </table>
      {edited && Form && (
        <Form
          boardId={boardId}
          entry={rows.find(({ id }) => id === edited.id) ?? edited}
          onClose={close}
          onDeleted={() => {
            flushSync(close)
            onDeleted()
          }}
        />
      )}
      {edited && !Form && <StopTimer boardId={boardId} timer={edited} onClose={close} onGone={onDeleted} />}
      <ConfirmDelete
        boardId={boardId}
        entry={deleted}
        open={!!deleted}
        onOpenChange={(open) => !open && setDeleted(undefined)}
        onDeleted={onDeleted}
      />
    </>
  )
}

const CELL = 'py-2.5 pr-4 align-top max-sm:p-0'

type RowProps = { entry: ReportRow; locked: boolean; onEdit(): void; onDelete(): void }

function Row({ entry, locked, onEdit, onDelete }: RowProps) {
  const { task, user, day, startTime, note, billable, cents } = entry
  const mayChange = mayChangeTimeEntry(useViewer(), entry) && (!locked || entry.status !== 'completed')
  return (
    <tr className="border-line border-b max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:py-3">
      <td className={`${CELL} max-w-56`}>
        <span dir="auto" className="line-clamp-2 break-words font-strong">
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
      <td className={`${CELL} tabular whitespace-nowrap max-sm:order-1 max-sm:text-right max-sm:font-strong`}>
        <EntryTime entry={entry} />
        {cents !== null && <span className="block font-normal text-quiet text-small">{amountText(cents)}</span>}
        {!billable && (
          <span className="block font-normal">
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
          <span className="-my-1 flex gap-1 sm:-ml-1.5 max-sm:justify-end">
            <Edit entry={entry} onEdit={onEdit} />
            {!locked && (
              <Button look="quiet" size="small-icon" aria-label="Delete time entry" title="Delete" onClick={onDelete}>
                <Trash2 className="size-3.5" aria-hidden />
              </Button>
            )}
          </span>
        ) : (
          <span className="text-quiet">
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
    <Button look="quiet" size="small-icon" aria-label={`${label} time entry`} title={label} onClick={onEdit}>
      <Icon className={`size-3.5 ${label === 'Stop' ? 'fill-current' : ''}`} aria-hidden />
    </Button>
  )
}
