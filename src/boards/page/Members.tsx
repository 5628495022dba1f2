import { UserPlus } from 'lucide-react'
import { lazyComponent } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { Popover } from '../../web/ui/Popover'
import { PopoverPanel } from '../../web/ui/PopoverPanel'
import { TypeAhead } from '../../web/ui/TypeAhead'
import type { Board } from '../schema'

const NotLoaded = () => <p className="text-quiet">The members could not be loaded. Reload the page to see them.</p>
const MemberPanel = lazyComponent(() => import('./MemberPanel').then((module) => module.MemberPanel), NotLoaded)

const Loading = () => (
  <div className="h-32" aria-busy>
    <TypeAhead />
  </div>
)

export const Members = ({ board, locked }: { board: Board; locked: boolean }) => (
  <Popover
    trigger={
      <Button>
        <UserPlus className="size-4 sm:hidden" aria-hidden />
        <span className="max-sm:sr-only">Invite Members</span>
      </Button>
    }
  >
    <PopoverPanel label="Invite Members" align="end">
      <MemberPanel fallback={<Loading />} board={board} locked={locked} />
    </PopoverPanel>
  </Popover>
)
