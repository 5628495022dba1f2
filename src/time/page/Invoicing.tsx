import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { maySetRates } from '../../access'
import type { Board } from '../../boards/schema'
import { durationText } from '../../format'
import { useViewer } from '../../users/page/viewer'
import { Button } from '../../web/ui/Button'
import { Select } from '../../web/ui/Field'
import { CURRENCY, type Report, ROUNDINGS, type Rounding } from '../schema'
import { peopleOf } from './LogFilters'
import { Rates } from './Rates'
import { amountText } from './reportCache'

type Props = {
  board: Board
  report: Report
  locked: boolean
  rounding: Rounding
  onRounding(rounding: Rounding): void
  onExport(): void
}

/** If it is as narrow as a panel, its items fill the lines. */
const IN_PANEL = 'max-sm:w-full sm:max-lg:w-36 lg:w-full'
const GROWN_IN_PANEL = 'max-sm:flex-1 lg:flex-1'

/** The amounts that the viewer may see; nothing for users without a rate. */
export function Invoicing({ board, report, locked, rounding, onRounding, onExport }: Props) {
  const [open, setOpen] = useState(false)
  const isSettable = maySetRates(useViewer(), board)
  if (!isSettable && report.amounts === null) return null
  return (
    <section
      aria-label="Invoicing"
      className="dense flex flex-wrap items-center justify-end gap-2 max-md:order-last max-sm:justify-start lg:justify-start rounded-panel bg-column px-4 py-3"
    >
      <Amount report={report} />
      {report.amounts && (
        <>
          <Select
            aria-label="Round up each entry"
            className={IN_PANEL}
            value={rounding}
            onChange={({ target: { value } }) => onRounding(ROUNDINGS.find((one) => String(one) === value) ?? 0)}
          >
            {ROUNDINGS.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? 'No rounding' : `Rounded up to the next ${minutes} minutes`}
              </option>
            ))}
          </Select>
          <Button size="small" className={GROWN_IN_PANEL} onClick={onExport}>
            <Download className="size-3.5" aria-hidden />
            Invoice CSV
          </Button>
        </>
      )}
      <Button size="small" className={GROWN_IN_PANEL} onClick={() => setOpen(true)}>
        {isSettable ? 'Hourly rates' : 'Your rate'}
      </Button>
      {open && <Rates board={board} people={peopleOf(board, report)} locked={locked} onClose={() => setOpen(false)} />}
    </section>
  )
}

function Amount({ report: { amounts, cents, billed, unrated } }: { report: Report }) {
  if (!amounts) return <p className="mr-auto text-quiet">Set hourly rates to see amounts.</p>
  return (
    <p role="status" className="tabular mr-auto max-sm:w-full sm:max-lg:flex-1 sm:max-lg:basis-40 lg:w-full">
      <span className="font-strong">{`${amountText(cents)} ${CURRENCY}`}</span>{' '}
      <span className="text-quiet lg:block">
        for {durationText(billed - unrated)} of billable time{amounts === 'own' && ', your own only'}
        {unrated > 0 && `, plus ${durationText(unrated)} without a rate`}
      </span>
    </p>
  )
}
