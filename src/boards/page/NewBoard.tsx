import { type ReactNode, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { LazyUpgradeDialog } from '../../billing/page/LazyUpgradeDialog'
import { lazyComponent } from '../../web/lazy'
import { LazyDialog } from '../../web/ui/LazyDialog'

const NewBoardForm = lazyComponent(() => import('./NewBoardForm').then((module) => module.NewBoardForm))

export function NewBoard({ openAtOnce, children }: { openAtOnce?: boolean; children(open: () => void): ReactNode }) {
  const { isPro } = useViewer()
  const [shown, setShown] = useState<'none' | 'create' | 'upgrade'>(openAtOnce ? 'create' : 'none')
  return (
    <>
      {children(() => setShown('create'))}
      <LazyDialog
        open={shown === 'create'}
        onOpenChange={(open) => setShown(open ? 'create' : 'none')}
        title="Create New Board"
        holds={NewBoardForm}
        keep
      >
        <NewBoardForm onDone={() => setShown('none')} onLimit={() => setShown('upgrade')} />
      </LazyDialog>
      {/* After an upgrade in another window there is nothing left to buy. */}
      {shown === 'upgrade' && !isPro && <LazyUpgradeDialog open onOpenChange={() => setShown('none')} />}
    </>
  )
}
