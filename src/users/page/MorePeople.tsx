import { lazyComponent } from '../../web/lazy'
import { Popover } from '../../web/ui/Popover'
import { PopoverPanel } from '../../web/ui/PopoverPanel'
import type { UserSummary } from '../schema'
import { More } from './Avatar'

const AllPeople = lazyComponent(() => import('./AllPeople').then((module) => module.AllPeople))

type Props = { users: UserSummary[]; here: ReadonlySet<number>; count: number; hidden: number }

export const MorePeople = ({ users, here, count, hidden }: Props) => (
  <Popover
    trigger={
      <button type="button" className="flex rounded-full">
        <More count={count} here={hidden} />
        <span className="sr-only">show everyone</span>
      </button>
    }
  >
    <PopoverPanel label="Everyone" className="z-30 w-72 gap-2 p-3">
      <AllPeople fallback={<div className="h-64" aria-busy />} users={users} here={here} />
    </PopoverPanel>
  </Popover>
)
