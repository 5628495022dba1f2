import { type ReactNode, useState } from 'react'
import { Button } from '../../web/ui/Button'

const SHOWN = 12

/** A list of which one sees the first, unless one asks for all. */
export function Folded<Item>({
  of,
  label,
  children,
}: {
  of: Item[]
  label: string
  children(item: Item, nth: number): ReactNode
}) {
  const [all, setAll] = useState(false)
  const isLong = of.length > SHOWN
  return (
    <>
      <ul aria-label={label} className="flex flex-col divide-y divide-line">
        {(all ? of : of.slice(0, SHOWN)).map(children)}
      </ul>
      {isLong && (
        <Button size="small" className="self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN}` : `Show all ${of.length}`}
        </Button>
      )}
    </>
  )
}
