import { renderToStaticMarkup } from 'react-dom/server'
import { ShellSkeleton } from '../app/ShellSkeleton'
import { type BoardBeginning, BoardSkeleton } from '../boards/page/BoardSkeleton'
import { type DashboardBeginning, DashboardSkeleton } from '../boards/page/DashboardSkeleton'

/** What the HTML of a route shows until the app is there; `unconfirmed` is an address. */
export const skeletons = {
  dashboard: (beginning?: DashboardBeginning, unconfirmed?: string) =>
    renderToStaticMarkup(
      <ShellSkeleton unconfirmed={unconfirmed}>
        <DashboardSkeleton beginning={beginning} />
      </ShellSkeleton>,
    ),
  board: (beginning?: BoardBeginning, { locked, unconfirmed }: { locked?: boolean; unconfirmed?: string | undefined } = {}) =>
    renderToStaticMarkup(
      <ShellSkeleton unconfirmed={unconfirmed}>
        <BoardSkeleton beginning={beginning} locked={locked} />
      </ShellSkeleton>,
    ),
  profile: () => renderToStaticMarkup(<ShellSkeleton />),
  time: () => renderToStaticMarkup(<ShellSkeleton />),
}

export type Skeletons = typeof skeletons
export type { BoardBeginning, DashboardBeginning }
