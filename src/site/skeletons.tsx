import { renderToStaticMarkup } from 'react-dom/server'
import { ShellSkeleton } from '../app/ShellSkeleton'
import { type BoardBeginning, BoardSkeleton } from '../boards/page/BoardSkeleton'
import { type DashboardBeginning, DashboardSkeleton } from '../boards/page/DashboardSkeleton'

/** What the HTML of a route shows until the app is there. */
export const skeletons = {
  dashboard: (beginning?: DashboardBeginning) =>
    renderToStaticMarkup(
      <ShellSkeleton>
        <DashboardSkeleton beginning={beginning} />
      </ShellSkeleton>,
    ),
  board: (beginning?: BoardBeginning) =>
    renderToStaticMarkup(
      <ShellSkeleton>
        <BoardSkeleton beginning={beginning} />
      </ShellSkeleton>,
    ),
  profile: () => renderToStaticMarkup(<ShellSkeleton />),
  time: () => renderToStaticMarkup(<ShellSkeleton />),
}

export type Skeletons = typeof skeletons
export type { BoardBeginning, DashboardBeginning }
