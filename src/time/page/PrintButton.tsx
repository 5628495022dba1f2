import Printer from 'lucide-react/icons/printer'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { Board } from '../../boards/schema'
import { durationText, numberText } from '../../format'
import { client } from '../../web/client'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { dayText, LOADING_FAILED, NOTHING_TO_EXPORT } from '../limits'
import { CURRENCY, PRINTED_MAX, type ReportFilter, type Rounding, type Statement } from '../schema'
import { amountText } from './reportCache'

type Props = { board: Board; filter: ReportFilter; rounding: Rounding }

export function PrintButton({ board, filter, rounding }: Props) {
  const [busy, setBusy] = useState(false)
  const [sheet, setSheet] = useState<SheetProps>()
  useEffect(() => {
    const onPrinted = () => setSheet(undefined)
    window.addEventListener('afterprint', onPrinted)
    return () => window.removeEventListener('afterprint', onPrinted)
  }, [])
  const print = async () => {
    setBusy(true)
    const statement = await client.time.statement.query({ boardId: board.id, ...filter, rounding }).catch((error: unknown) => {
      console.warn('Could not load what to print', error)
      return undefined
    })
    setBusy(false)
    const refusal = whyNotPrinted(statement)
    if (refusal) return toast({ variant: 'destructive', ...refusal })
    flushSync(() => setSheet(statement && { board, filter, rounding, statement }))
    window.print()
  }
  return (
    <>
      <Button size="small" busy={busy} onClick={() => void print()}>
        <Printer className="size-3.5" aria-hidden />
        Print
      </Button>
      {sheet && <PrintSheet {...sheet} />}
    </>
  )
}

function whyNotPrinted(read: Statement | undefined) {
  if (!read) return { title: LOADING_FAILED }
  if (read.more)
    return {
      title: 'Too much to print',
      description: `Choose a shorter period: at most ${numberText(PRINTED_MAX)} entries can be printed.`,
    }
  return read.rows.length === 0 ? { title: 'No entries to print', description: NOTHING_TO_EXPORT } : undefined
}

type Row = Statement['rows'][number]
type SheetProps = Props & { statement: Statement }

/** Oldest entries first; the sums add up its rows, in whole minutes and cents. */
function PrintSheet({ board, filter, rounding, statement: { amounts, rows } }: SheetProps) {
  const people = Map.groupBy(rows, ({ userId }) => userId)
    .values()
    .toArray()
    .toSorted((a, b) => total(b, 'duration') - total(a, 'duration'))
  const tasks = new Set(rows.map(({ task }) => task))
  return createPortal(
    <article data-sheet className="hidden flex-col gap-6 scheme-light bg-surface text-small text-text print:flex">
      <header className="flex flex-col gap-1">
        <p className="text-quiet">Time report</p>
        <h1 dir="auto" className="break-words font-strong">
          {board.name}
        </h1>
        <p>{periodText(filter)}</p>
        {filter.taskIds && filter.taskIds.length > 0 && <p dir="auto">Tasks: {[...tasks].join(', ')}</p>}
      </header>
      <table className="border-collapse text-left">
        <Head names={['User', 'Time', ...(amounts ? ['Billed', 'Amount'] : [])]} figures={amounts ? 3 : 1} />
        <tbody>
          {people.map((ofPerson) => (
            <Sums key={ofPerson[0]?.userId} label={ofPerson[0]?.user ?? ''} rows={ofPerson} amounts={amounts} />
          ))}
          <Sums label="Total" rows={rows} amounts={amounts} strong />
        </tbody>
      </table>
      <table className="border-collapse text-left">
        <Head names={['Date', 'Task', 'User', 'Time', ...(amounts ? ['Rate', 'Amount'] : [])]} figures={amounts ? 3 : 1} />
        <tbody>
          {rows.toReversed().map((row) => (
            <Entry key={row.id} row={row} amounts={amounts} />
          ))}
        </tbody>
      </table>
      <Remarks amounts={amounts} rounding={rounding} rows={rows} />
    </article>,
    document.body,
  )
}

const total = (rows: Row[], of: 'duration' | 'billed' | 'cents') => rows.reduce((sum, row) => sum + (row[of] ?? 0), 0)
const isPriced = ({ cents }: Row) => cents !== null

function periodText({ from, to }: ReportFilter): string {
  if (from && to) return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
  if (from) return `From ${dayText(from)}`
  return to ? `Through ${dayText(to)}` : 'All time'
}

const CELL = 'border-line border-b py-1.5 pr-4 align-top last:pr-0'
const FIGURE = `${CELL} tabular whitespace-nowrap text-right`

const Head = ({ names, figures }: { names: string[]; figures: number }) => (
  <thead className="text-quiet">
    <tr>
      {names.map((name, nth) => (
        <th key={name} scope="col" className={`${nth < names.length - figures ? CELL : FIGURE} border-edge font-strong`}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
)

type SumProps = { label: string; rows: Row[]; amounts: Statement['amounts']; strong?: boolean }

function Sums({ label, rows, amounts, strong = false }: SumProps) {
  const priced = rows.filter(isPriced)
  return (
    <tr className={`break-inside-avoid ${strong ? 'font-strong' : ''}`}>
      <th scope="row" dir="auto" className={`${CELL} w-full break-words ${strong ? 'font-strong' : 'font-normal'}`}>
        {label}
      </th>
      <td className={FIGURE}>{durationText(total(rows, 'duration'))}</td>
      {amounts && (
        <>
          <td className={FIGURE}>{priced.length > 0 ? durationText(total(priced, 'billed')) : '–'}</td>
          <td className={FIGURE}>
            {priced.length > 0 ? amountText(total(priced, 'cents')) : '–'}
            {strong && priced.length > 0 && ` ${CURRENCY}`}
            {strong && amounts === 'own' && <span className="block font-normal text-quiet">your amounts only</span>}
          </td>
        </>
      )}
    </tr>
  )
}

const Entry = ({ row, amounts }: { row: Row; amounts: Statement['amounts'] }) => (
  <tr className="break-inside-avoid">
    <td className={`${CELL} tabular whitespace-nowrap`}>{dayText(row.day)}</td>
    <td dir="auto" className={`${CELL} w-full break-words`}>
      {row.task}
      {row.note && <span className="block whitespace-pre-line text-quiet">{row.note}</span>}
    </td>
    <td dir="auto" className={`${CELL} min-w-32 break-words`}>
      {row.user}
    </td>
    <td className={FIGURE}>
      {durationText(row.duration)}
      {isPriced(row) && row.billed !== row.duration && (
        <span className="block text-quiet">billed {durationText(row.billed)}</span>
      )}
      {!row.billable && <span className="block text-quiet">not billable</span>}
    </td>
    {amounts && (
      <>
        <td className={FIGURE}>{row.rate === null ? '–' : amountText(row.rate)}</td>
        <td className={FIGURE}>{row.cents === null ? '–' : amountText(row.cents)}</td>
      </>
    )}
  </tr>
)

/** What readers must know about the amounts. */
function Remarks({ amounts, rounding, rows }: Pick<Statement, 'amounts' | 'rows'> & { rounding: Rounding }) {
  if (!amounts) return null
  const remarks = [
    rounding > 0 && `Each billable entry is rounded up to the next ${rounding} minutes.`,
    amounts === 'own' && 'Amounts are for your own entries.',
    amounts === 'everyone' && rows.some((row) => row.billable && !isPriced(row)) && 'Work without a rate has no amount.',
  ].filter((line) => line !== false)
  return remarks.length > 0 && <p className="text-quiet">{remarks.join(' ')}</p>
}
