import { History } from 'lucide-react'
import { useState } from 'react'
import type { Board } from '../../boards/schema'
import { Button } from '../../web/ui/Button'
import { LazyDialog } from '../../web/ui/LazyDialog'
import { LazyFeed } from './LazyFeed'

export function BoardActivity({ board }: { board: Board }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" size="icon" aria-label="Activity" title="Activity" onClick={() => setOpen(true)}>
        <History className="size-4" aria-hidden />
      </Button>
      <LazyDialog open={open} onOpenChange={setOpen} title="Activity" description={board.name} shape="side" holds={LazyFeed}>
        <LazyFeed board={board} onLeave={() => setOpen(false)} />
      </LazyDialog>
    </>
  )
}
