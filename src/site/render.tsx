import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { BoardSkeleton, type InitialBoard } from '../app/board/BoardSkeleton'
import { DashboardSkeleton, type InitialDashboard } from '../app/dashboard/DashboardSkeleton'
import { ShellSkeleton } from '../app/ShellSkeleton'
import { SignIn } from '../app/SignIn'
import type { SignInOptions, SignInScreen } from '../auth/limits'
import type { Settings } from '../protocol'
import { FullScreenSpinner } from '../web/ui/Spinner'
import { type Assets, renderDocument } from './Document'
import type { PublicPath, Screen, Site } from './paths'
import { publicPages } from './public/pages'

/** The viewer's data in a screen's HTML; `unconfirmed` is their address. */
export type InitialView = { unconfirmed: string | undefined } & (
  | { dashboard: InitialDashboard }
  | { board: InitialBoard; locked: boolean }
)

type Common = { assets: Assets; theme: string }
type AppPage = Common & { scripts: string[]; settings: Settings }

/** `scripts` are all of the app's. Without a screen, a spinner shows until the app loads. */
export function renderApp(common: AppPage, screen?: Screen, initial?: InitialView): string {
  const root = initial ? renderInitial(initial) : renderToStaticMarkup(screen ? <Empty screen={screen} /> : <Waiting />)
  return renderDocument({
    ...common,
    root,
    hasContents: initial !== undefined,
    data: { scripts: common.scripts, settings: common.settings },
  })
}

const Empty = ({ screen }: { screen: Screen }) => (
  <ShellSkeleton>
    {screen === 'dashboard' && <DashboardSkeleton />}
    {screen === 'board' && <BoardSkeleton />}
  </ShellSkeleton>
)

const Waiting = () => (
  <div className="h-full animate-appear [animation-delay:300ms] [animation-fill-mode:both]">
    <FullScreenSpinner />
  </div>
)

function renderInitial(initial: InitialView): string {
  return renderToStaticMarkup(
    <ShellSkeleton unconfirmed={initial.unconfirmed}>
      {'dashboard' in initial ? (
        <DashboardSkeleton initial={initial.dashboard} />
      ) : (
        <BoardSkeleton initial={initial.board} locked={initial.locked} />
      )}
    </ShellSkeleton>,
  )
}

/** Hydrated in the browser; without `whole`, rendered only there. */
export function renderSignIn(common: Common, screen: SignInScreen, options: SignInOptions, whole: boolean): string {
  if (!whole) return renderDocument({ ...common, root: '', data: { options } })
  const html = renderToString(<SignIn screen={screen} options={options} />)
  // React puts the title before all else.
  const end = html.indexOf('</title>') + '</title>'.length
  const head = <title>{html.slice('<title>'.length, end - '</title>'.length)}</title>
  const root = html.slice(end)
  return renderDocument({ ...common, head, root: common.assets.development ? root : withoutStyles(root), data: { options } })
}

/** Radix sets some, which the security policy forbids in HTML. None matter on these pages. */
const withoutStyles = (html: string) =>
  new HTMLRewriter().on('[style]', { element: (element) => void element.removeAttribute('style') }).transform(html)

export function renderPublicPage(common: Common, path: PublicPath, site: Site): string {
  const { body, ...head } = publicPages(site)[path]
  return renderDocument({ ...common, ...head, root: renderToStaticMarkup(body) })
}
