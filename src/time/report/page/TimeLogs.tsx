import { Download } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { numberText } from '../../../basics'
import { useBoardView } from '../../../boards/page/cache'
import type { Board } from '../../../boards/schema'
import { startDownload } from '../../../web/download'
import { toast } from '../../../web/toast'
import { Button } from '../../../web/ui/Button'
import { durationText, LOADING_FAILED, NOTHING_TO_EXPORT } from '../../entries/schema'
import { Invoicing } from '../../export/page/Invoicing'
import { PrintButton } from '../../export/page/PrintButton'
import { type ExportOptions, NOTHING_TO_INVOICE, type Report } from '../schema'
import { Charts } from './Charts'
import { LoadingLogs } from './LoadingLogs'
import { LogFilters } from './LogFilters'
import { LogTable } from './LogTable'
import { NoTime } from './NoTime'
import { Pagination } from './Pagination'
import type { useLogFilter } from './useLogFilter'
import type { useReport } from './useReport'

type Log = ReturnType<typeof useLogFilter>
type Props = { board: Board; locked: boolean; log: Log; read: ReturnType<typeof useReport>; onClose(): void }

export function TimeLogs({ board, locked, log, read, onClose }: Props) {
  const tasks = useBoardView(board.id)?.tasks ?? []
  const { isActive } = log
  const { report, isError, isFetching, retry } = read
  const sums = useRef<HTMLParagraphElement>(null)
  if (!report && !isError && !isActive) return <LoadingLogs />
  if (report?.entries === 0 && !isActive) return <NoTime boardId={board.id} tasks={tasks} heading={sums} onLeave={onClose} />
  return (
    <>
      <LogFilters board={board} tasks={tasks} report={report} log={log} />
      {report ? (
        <Matching board={board} report={report} log={log} locked={locked} sums={sums} />
      ) : isError ? (
        <LoadFailed busy={isFetching} retry={retry} />
      ) : (
        <LoadingLogs />
      )}
    </>
  )
}

type MatchingProps = Omit<Props, 'onClose' | 'read'> & {
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
            onClick={() => (report.exportable === 0 ? refuse(NOTHING_TO_EXPORT) : exportCsv(board.id, log.filter))}
          >
            <Download className="size-3.5" aria-hidden />
            Download CSV
          </Button>
        </div>
      </div>
      {report.entries === 0 ? (
        <p className="py-12 text-center text-quiet">No time entries match the filters</p>
      ) : (
        <>
          <Invoicing
            board={board}
            report={report}
            locked={locked}
            rounding={log.rounding}
            onRounding={log.setRounding}
            onExport={() =>
              report.billed === 0
                ? refuse(NOTHING_TO_INVOICE)
                : exportCsv(board.id, { ...log.filter, format: 'invoice', rounding: log.rounding })
            }
          />
          <Charts report={report} filter={log.filter} />
          <LogTable boardId={board.id} rows={report.rows} locked={locked} onDeleted={() => sums.current?.focus()} />
          <Pagination
            page={report.page}
            pageSize={log.pageSize}
            entries={report.entries}
            onPage={log.setPage}
            onPageSize={log.setPageSize}
          />
        </>
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

const refuse = (description: string) => toast({ variant: 'destructive', title: 'No entries to export', description })

const exportCsv = (boardId: number, asked: Partial<ExportOptions>) =>
  startDownload(`/api/boards/${boardId}/time.csv?${addressOf(asked)}`)

const addressOf = (asked: Partial<ExportOptions>) =>
  new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)] as [string, string]))

const LoadFailed = ({ busy, retry }: { busy: boolean; retry(): void }) => (
  <div role="alert" className="flex flex-col items-center gap-4 py-24 text-quiet">
    {LOADING_FAILED}
    <Button busy={busy} onClick={retry}>
      Try again
    </Button>
  </div>
)
