import { History } from 'lucide-react'
import { useState } from 'react'
import type { Board } from '../../boards/schema'
import { lazyComponent } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'

const Feed = lazyComponent(() => import('./Feed').then((module) => module.Feed))

export function BoardActivity({ board }: { board: Board }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" size="icon" aria-label="Activity" title="Activity" onClick={() => setOpen(true)}>
        <History className="size-4" aria-hidden />
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Activity" description={board.name} shape="side">
        <Feed
          fallback={<div className="h-32" aria-busy />}
          onLost={() => setOpen(false)}
          board={board}
          onLeave={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}
