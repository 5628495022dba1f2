import { useNavigate } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { durationText, numberText } from '../../format'
import type { Task } from '../../tasks/schema'
import { SEARCHED_ABOVE } from '../../users/limits'
import { startDownload } from '../../web/sendFile'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Input, Select } from '../../web/ui/Field'
import { LOADING_FAILED, NOTHING_TO_EXPORT } from '../limits'
import { type ExportOptions, NOTHING_TO_INVOICE, type Report } from '../schema'
import { Charts } from './Charts'
import { Invoicing } from './Invoicing'
import { choicesIn, LogFilters, MORE_CHOICES } from './LogFilters'
import { LogTable, Pagination } from './LogTable'
import { useLogFilter } from './logFilter'
import { PrintButton } from './PrintButton'
import { useReport } from './reportCache'

type Props = {
  board: Board
  locked: boolean
  taskId: number | undefined
  /** Shows while the report loads, as it did while this code loaded. */
  fallback: ReactNode
  onClose(): void
}

export function TimeLogs({ board, locked, taskId, fallback, onClose }: Props) {
  const tasks = useBoardView(board.id)?.tasks ?? []
  const log = useLogFilter(taskId)
  const { filter, page, pageSize, rounding, isActive } = log
  const { report, isOfEarlier, error, isError, isFetching, retry } = useReport({
    boardId: board.id,
    ...filter,
    page,
    pageSize,
    rounding,
  })
  const sums = useRef<HTMLParagraphElement>(null)
  if (!report && !isError && !isActive) return fallback
  if (report?.entries === 0 && !isActive && !isOfEarlier)
    return <NoTime boardId={board.id} tasks={tasks} heading={sums} onLeave={onClose} />
  return (
    <>
      <LogFilters board={board} tasks={tasks} report={report} log={log} />
      {report ? (
        <Matching board={board} report={report} log={log} locked={locked} sums={sums} />
      ) : isError ? (
        <TryAgain busy={isFetching} retry={retry} error={error} className="justify-center py-24">
          {LOADING_FAILED}.
        </TryAgain>
      ) : (
        fallback
      )}
    </>
  )
}

type MatchingProps = Pick<Props, 'board' | 'locked'> & {
  log: ReturnType<typeof useLogFilter>
  report: Report
  sums: RefObject<HTMLParagraphElement | null>
}

function Matching({ board, report, log, locked, sums }: MatchingProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Sums report={report} sums={sums} />
        <div className="flex gap-2">
          <PrintButton board={board} filter={log.filter} rounding={log.rounding} />
          <Button
            size="small"
            onClick={() => (report.exportable === 0 ? tellNoEntries(NOTHING_TO_EXPORT) : exportCsv(board.id, log.filter))}
          >
            <Download className="size-3.5" aria-hidden />
            Download CSV
          </Button>
        </div>
      </div>
      {report.entries === 0 ? (
        <p className="py-12 text-center text-quiet">No time entries match the filters</p>
      ) : (
        <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] lg:items-start lg:gap-x-8">
          <div className="contents lg:col-start-2 lg:flex lg:flex-col lg:gap-4">
            <Invoicing
              board={board}
              report={report}
              locked={locked}
              rounding={log.rounding}
              onRounding={(rounding) => log.choose({ rounding, page: log.page })}
              onExport={() =>
                report.billed === 0
                  ? tellNoEntries(NOTHING_TO_INVOICE)
                  : exportCsv(board.id, { ...log.filter, format: 'invoice', rounding: log.rounding })
              }
            />
            <Charts report={report} filter={log.filter} />
          </div>
          <div className="flex min-w-0 flex-col gap-4 lg:col-start-1 lg:row-start-1">
            <LogTable rows={report.rows} locked={locked} onDeleted={() => sums.current?.focus()} />
            <Pagination
              page={report.page}
              pageSize={log.pageSize}
              entries={report.entries}
              onPage={(page) => log.choose({ page })}
              onPageSize={(pageSize) => log.choose({ pageSize })}
            />
          </div>
        </div>
      )}
    </>
  )
}

const Sums = ({ report, sums }: Pick<MatchingProps, 'report' | 'sums'>) => (
  <p ref={sums} tabIndex={-1} role="status" className="tabular focus:outline-none">
    <span className="font-strong">{durationText(report.minutes)}</span>{' '}
    <span className="text-quiet">
      in {numberText(report.entries)} {report.entries === 1 ? 'entry' : 'entries'}
    </span>
  </p>
)

const tellNoEntries = (description: string) => toast({ variant: 'destructive', title: 'No entries to export', description })

function exportCsv(boardId: number, asked: Partial<ExportOptions>) {
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))
  startDownload(`/api/boards/${boardId}/time.csv?${query}`)
}

type NoTimeProps = { boardId: number; tasks: Task[]; heading: RefObject<HTMLParagraphElement | null>; onLeave(): void }

function NoTime({ boardId, tasks, heading, onLeave }: NoTimeProps) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState('')
  const [text, setText] = useState('')
  const { shown, more } = choicesIn(
    tasks.map(({ id, title }) => ({ id, label: title })),
    text,
  )
  const task = shown.find(({ id }) => String(id) === chosen)?.id ?? shown[0]?.id
  useEffect(() => {
    // The focus was on the last entry, which is deleted.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [heading])
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    if (task === undefined) return
    onLeave()
    void navigate({ to: '/board/$boardId', params: { boardId }, search: { task, openTaskDetail: true } })
  }
  return (
    <form onSubmit={open} className="mx-auto flex w-full max-w-md flex-col items-center gap-4 py-12 text-center">
      <p ref={heading} tabIndex={-1} className="rounded-card font-strong text-title">
        Open a task to add time
      </p>
      {tasks.length > 0 ? (
        <>
          {tasks.length > SEARCHED_ABOVE && (
            <Input
              aria-label="Search tasks"
              placeholder="Search tasks"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <div className="flex w-full gap-2">
            <Select
              aria-label="Task"
              className="min-w-0 flex-1"
              value={task ?? ''}
              onChange={({ target: { value } }) => setChosen(value)}
            >
              {shown.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
            <Button type="submit" look="primary" disabled={task === undefined}>
              Open task
            </Button>
          </div>
          {more && <p className="text-quiet text-small">{MORE_CHOICES}</p>}
        </>
      ) : (
        <p className="text-quiet">This board has no tasks yet.</p>
      )}
    </form>
  )
}
