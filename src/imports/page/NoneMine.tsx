import { useRef } from 'react'
import { Button } from '../../web/ui/Button'
import { focusAfter } from './focusIfLost'
import { useDeclineNames } from './names'

/** For whoever is asked about several names: none of those that are shown. */
export function NoneMine({ boardId, nameIds }: { boardId: number; nameIds: number[] }) {
  const place = useRef<HTMLButtonElement>(null)
  const decline = useDeclineNames(boardId)
  return (
    <Button
      ref={place}
      size="small"
      look="quiet"
      busy={decline.isPending}
      onClick={() => void focusAfter(place.current, decline.run(nameIds))}
    >
      None of these is mine
    </Button>
  )
}
