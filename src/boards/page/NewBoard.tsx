import { type ReactNode, Suspense, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { UpgradeDialog } from '../../billing/page/UpgradeDialog'
import { lazyComponent } from '../../web/lazy'
import { Dialog } from '../../web/ui/Dialog'

const NewBoardForm = lazyComponent(() => import('./NewBoardForm').then((module) => module.NewBoardForm))

export function NewBoard({ openAtOnce, children }: { openAtOnce?: boolean; children(open: () => void): ReactNode }) {
  const { isPro } = useViewer()
  const [shown, setShown] = useState<'none' | 'create' | 'upgrade'>(openAtOnce ? 'create' : 'none')
  return (
    <>
      {children(() => setShown('create'))}
      <Dialog open={shown === 'create'} onOpenChange={(open) => setShown(open ? 'create' : 'none')} title="Create New Board" keep>
        <Suspense>
          <NewBoardForm onDone={() => setShown('none')} onLimit={() => setShown('upgrade')} />
        </Suspense>
      </Dialog>
      {/* After an upgrade in another window there is nothing left to buy. */}
      <UpgradeDialog open={shown === 'upgrade' && !isPro} onOpenChange={(open) => setShown(open ? 'upgrade' : 'none')} />
    </>
  )
}
