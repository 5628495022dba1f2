import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { boardsQuery, snapshotQuery } from '../boards/page/cache'
import { isDay } from '../days'
import { type FilterSearch, filterSearchOf, taskHash } from '../tasks/page/taskUrl'
import { useSession } from '../users/page/viewer'
import { isProfileTab, type ProfileTab } from '../users/schema'
import { MAX_ID } from '../web/live/temporaryIds'
import { queryClient } from '../web/queryClient'
import { LoadFailed } from '../web/ui/Failure'
import { FullScreenSpinner } from '../web/ui/Spinner'
import { Root } from './Root'

const root = createRootRoute({
  component: Root,
  notFoundComponent: lazyRouteComponent(() => import('../web/ui/NotFound'), 'NotFound'),
})

const page = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component })

/** Shown beside the sidebar to users who are signed in. */
const IN_SHELL = { inShell: true }

type OpenTask = { task?: number; openTaskDetail?: true; comment?: number } & FilterSearch

const board = createRoute({
  getParentRoute: () => root,
  path: '/board/$boardId',
  staticData: IN_SHELL,
  parseParams: ({ boardId }) => ({ boardId: /^\d{1,10}$/.test(boardId) && Number(boardId) <= MAX_ID ? Number(boardId) : 0 }),
  stringifyParams: ({ boardId }) => ({ boardId: String(boardId) }),
  validateSearch: (search: Record<string, unknown>): OpenTask =>
    search.openTaskDetail === true && Number.isInteger(search.task)
      ? {
          task: Number(search.task),
          openTaskDetail: true,
          ...(Number.isInteger(search.comment) && { comment: Number(search.comment) }),
        }
      : filterSearchOf(search),
  // Turns a link's search parameters into the hash that names the open task.
  beforeLoad: ({ search, params }) => {
    if (!search.task) return
    const hash = taskHash(search.task, search.comment)
    throw redirect({ to: '/board/$boardId', params, search: {}, hash, replace: true })
  },
  // Not awaited: the board has a shape before it has cards.
  loader: ({ params }) => {
    void queryClient.prefetchQuery(snapshotQuery(params.boardId))
    void queryClient.prefetchQuery(boardsQuery())
  },
  component: lazyRouteComponent(() => import('./board/BoardPage'), 'BoardPage'),
})

/** `edit` opens the Edit Profile dialog; `public` shows the profile as others see it. */
type OnProfile = { edit?: true; public?: true; tab?: ProfileTab }

const profile = createRoute({
  getParentRoute: () => root,
  path: '/$username',
  staticData: IN_SHELL,
  validateSearch: ({ edit, tab, public: asOthers }: Record<string, unknown>): OnProfile => ({
    ...(edit === true && { edit }),
    ...(asOthers === true && { public: asOthers }),
    ...(isProfileTab(tab) && { tab }),
  }),
  component: lazyRouteComponent(() => import('./profile/ProfilePage'), 'ProfilePage'),
})

/** Parameters of the way back from a payment, also from a bank's page. */
type OfPayment = { payment_success?: true; redirect_status?: string }

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: IN_SHELL,
  validateSearch: ({ payment_success, redirect_status }: Record<string, unknown>): OfPayment => ({
    ...(payment_success === true && { payment_success }),
    ...(typeof redirect_status === 'string' && { redirect_status }),
  }),
  loader: async () => {
    void queryClient.prefetchQuery(boardsQuery())
    // Where it cannot be loaded, the component says so, and tries again.
    await import('./dashboard/Dashboard').then(({ beginDay }) => void beginDay()).catch(() => {})
  },
  component: lazyRouteComponent(() => import('./dashboard/Dashboard'), 'Home'),
})

/** Any day of the week that is shown. */
const time = createRoute({
  getParentRoute: () => root,
  path: '/time',
  staticData: IN_SHELL,
  validateSearch: ({ week }: Record<string, unknown>): { week?: string } => (isDay(week) ? { week } : {}),
  component: lazyRouteComponent(() => import('../time/page/MyTimePage'), 'MyTimePage'),
})

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  staticData: IN_SHELL,
  validateSearch: ({ part }: Record<string, unknown>): { part?: string } => (typeof part === 'string' ? { part } : {}),
  component: lazyRouteComponent(() => import('../operator/page/OperatorPage'), 'OperatorPage'),
})

/** `id` is of the import that is shown. */
const importing = createRoute({
  getParentRoute: () => root,
  path: '/import',
  staticData: IN_SHELL,
  validateSearch: ({ id }: Record<string, unknown>): { id?: number } => (Number.isInteger(id) ? { id: Number(id) } : {}),
  component: lazyRouteComponent(() => import('../imports/page/ImportPage'), 'ImportPage'),
})

const newBoard = createRoute({
  getParentRoute: () => root,
  path: '/board/new',
  staticData: IN_SHELL,
  component: lazyRouteComponent(() => import('./dashboard/Dashboard'), 'NewBoardPage'),
})

/** In place of the login page, which the server has to answer: the app opens there without a connection. */
const Unreachable = () => (useSession() ? <Navigate to="/" replace /> : <LoadFailed retry={() => window.location.reload()} />)

const tree = root.addChildren([
  home,
  page('/login', Unreachable),
  page(
    '/invite',
    lazyRouteComponent(() => import('../invitations/page/InvitePage'), 'InvitePage'),
  ),
  page(
    '/unsubscribe',
    lazyRouteComponent(() => import('../notifications/page/UnsubscribePage'), 'UnsubscribePage'),
  ),
  page(
    '/subscribe',
    lazyRouteComponent(() => import('./Subscribe'), 'Subscribe'),
  ),
  newBoard,
  profile,
  importing,
  operator,
  time,
  board,
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPendingComponent: FullScreenSpinner,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultErrorComponent: ({ reset, error }) => <LoadFailed retry={reset} error={error} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    inShell?: boolean
  }
  interface Register {
    router: typeof router
  }
}
