import { Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Board } from '../../../boards/schema'
import { client } from '../../../web/client'
import { toast } from '../../../web/toast'
import { Button } from '../../../web/ui/Button'
import { LOADING_FAILED, NOTHING_TO_EXPORT } from '../../entries/schema'
import type { Rounding } from '../../rates/schema'
import { PRINTED_MAX, type ReportFilter, type Statement } from '../../report/schema'
import { PrintSheet } from './PrintSheet'

type Props = { board: Board; filter: ReportFilter; rounding: Rounding }

export function PrintButton({ board, filter, rounding }: Props) {
  const [busy, setBusy] = useState(false)
  const [statement, setStatement] = useState<Statement>()
  useEffect(() => {
    const onPrinted = () => setStatement(undefined)
    window.addEventListener('afterprint', onPrinted)
    return () => window.removeEventListener('afterprint', onPrinted)
  }, [])
  const print = async () => {
    setBusy(true)
    const read = await client.time.statement.query({ boardId: board.id, ...filter, rounding }).catch((error: unknown) => {
      console.warn('What is to be printed could not be read', error)
      return undefined
    })
    setBusy(false)
    const obstacle = obstacleIn(read)
    if (obstacle) return toast({ variant: 'destructive', ...obstacle })
    flushSync(() => setStatement(read))
    window.print()
  }
  return (
    <>
      <Button size="small" busy={busy} onClick={() => void print()}>
        <Printer className="size-3.5" aria-hidden />
        Print
      </Button>
      {statement && <PrintSheet board={board} filter={filter} rounding={rounding} statement={statement} />}
    </>
  )
}

function obstacleIn(read: Statement | undefined) {
  if (!read) return { title: LOADING_FAILED }
  if (read.more)
    return { title: 'Too much to print', description: `Choose a shorter period: at most ${PRINTED_MAX} entries are printed.` }
  return read.rows.length === 0 ? { title: 'No entries to print', description: NOTHING_TO_EXPORT } : undefined
}
