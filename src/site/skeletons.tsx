import { renderToStaticMarkup } from 'react-dom/server'
import { ShellSkeleton } from '../app/ShellSkeleton'
import { BoardSkeleton } from '../boards/page/BoardSkeleton'
import { DashboardSkeleton } from '../boards/page/DashboardSkeleton'

/** What the HTML of a route shows until the app is there. */
export const skeletons = {
  dashboard: renderToStaticMarkup(
    <ShellSkeleton>
      <DashboardSkeleton />
    </ShellSkeleton>,
  ),
  board: renderToStaticMarkup(
    <ShellSkeleton>
      <BoardSkeleton />
    </ShellSkeleton>,
  ),
  profile: renderToStaticMarkup(<ShellSkeleton />),
  time: renderToStaticMarkup(<ShellSkeleton />),
}
