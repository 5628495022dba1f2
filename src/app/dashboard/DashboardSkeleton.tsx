import Pin from 'lucide-react/icons/pin'
import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import type { BoardListItem } from '../../boards/schema'
import { BoardFacts } from '../../today/page/BoardFacts'
import { DayPlaceholder, InitialDay } from '../../today/page/InitialDay'
import type { Today } from '../../today/schema'
import { displayName, type OwnUser } from '../../users/schema'
import { preview } from '../../web/plainText'
import { Button } from '../../web/ui/Button'
import { PageHeader } from '../../web/ui/Section'

/** Room at the end, so that everything can be scrolled away from below a toast. */
export const DASHBOARD = 'page gap-8 pb-36'
export const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3'
const CARD = 'flex min-h-40 flex-col gap-1.5 rounded-panel p-4'
export const OPEN_CARD = `${CARD} bg-surface shadow-card`
export const LOCKED_CARD = `${CARD} bg-column`
export const CARD_FOOT = 'mt-auto flex flex-col gap-2'

/** As high as the notice after a payment, on one line. */
export const NOTICE_PLACE = 'h-13'

export type InitialDashboard = { user: OwnUser; today: Today; hasTimer: boolean; hasPaid: boolean; hasPlans: boolean }

type WelcomeProps = { user: OwnUser; hasPlans: boolean; status?: ReactNode; children: ReactNode }

export const Welcome = ({ user, hasPlans, status, children }: WelcomeProps) => (
  <PageHeader
    title={
      <h1 className="break-words font-strong">
        Welcome, <bdi>{displayName(user)}</bdi>
      </h1>
    }
    text={
      <div className="flex h-5 gap-2 text-quiet empty:hidden">
        {hasPlans && <p className="shrink-0">{user.isPro ? 'Pro Plan' : 'Free Plan'}</p>}
        {status}
      </div>
    }
  >
    {children}
  </PageHeader>
)

export const CardText = ({ board }: { board: BoardListItem }) => (
  <>
    <span className="flex items-start gap-2 pr-7">
      {board.pinned && <Pin className="mt-0.5 size-4 shrink-0 text-quiet" aria-label="Pinned" />}
      <span dir="auto" className={`line-clamp-1 break-all font-strong ${board.locked ? 'text-quiet' : ''}`}>
        {board.name}
      </span>
      {board.locked && <span className="shrink-0 rounded-chip bg-accent-soft px-1.5 text-accent text-small">Pro Only</span>}
    </span>
    <span dir="auto" className="line-clamp-2 break-words text-quiet">
      {preview(board.description ?? '') || 'No description'}
    </span>
  </>
)

export const DashboardPlaceholder = ({ children }: { children?: ReactNode }) => (
  <div className="waiting flex flex-col gap-8">
    {children}
    <DayPlaceholder />
    <ul className={GRID} aria-busy>
      {[1, 2, 3].map((nth) => (
        <li key={nth} className={OPEN_CARD}>
          <span className="h-5 w-1/2 rounded-card bg-edge/30" />
          <span className="h-4 w-5/6 rounded-card bg-edge/30" />
          <span className="mt-auto h-1 w-full rounded-full bg-edge/30" />
          <span className="mt-1 h-4 w-20 rounded-card bg-edge/30" />
        </li>
      ))}
    </ul>
  </div>
)

export const NoBoards = ({ children }: { children: ReactNode }) => (
  <section className="flex flex-col items-center gap-4 rounded-panel bg-column p-6 text-center sm:py-16">
    <div className="flex flex-col gap-1">
      <h2 className="font-strong text-title">No boards yet</h2>
      <p className="text-quiet">Create your first board to start managing tasks</p>
    </div>
    {children}
  </section>
)

const FIRST_BOARD_PLACE = 'h-160 sm:h-63 lg:h-58'

const BOARDS_AT_MOST = 60

/** The shape of the dashboard, so that nothing jumps when it arrives. The server fills in its first contents. */
export const DashboardSkeleton = ({ initial }: { initial?: InitialDashboard }) =>
  initial ? (
    <div className={DASHBOARD} aria-busy>
      <Contents {...initial} />
    </div>
  ) : (
    <div className={DASHBOARD} role="status" aria-label="Loading">
      <DashboardPlaceholder>
        <div className="flex h-14 flex-col gap-2 pt-1 max-sm:h-28">
          <span className="h-5 w-48 rounded-card bg-edge/30" />
          <span className="h-4 w-20 rounded-card bg-edge/30" />
        </div>
      </DashboardPlaceholder>
    </div>
  )

const Contents = ({ user, today, hasTimer, hasPaid, hasPlans }: InitialDashboard) => (
  <>
    {hasPaid && <div className={NOTICE_PLACE} />}
    <Welcome user={user} hasPlans={hasPlans}>
      {!user.isPro && (
        <Button asChild>
          <a href="/subscribe">Upgrade to Pro</a>
        </Button>
      )}
      <Button asChild>
        <a href="/import">Import</a>
      </Button>
      <Button look={today.boards.length === 0 ? 'plain' : 'primary'} asChild>
        <a href="/board/new">
          <Plus className="size-4" aria-hidden />
          New Board
        </a>
      </Button>
    </Welcome>
    {today.boards.length === 0 ? (
      <NoBoards>
        <ul className={`mt-4 grid w-full max-w-4xl gap-3 pb-9 sm:grid-cols-3 ${FIRST_BOARD_PLACE}`} aria-hidden>
          {[1, 2, 3].map((nth) => (
            <li key={nth} className="rounded-card bg-surface p-5 shadow-card">
              <span className="skeleton block h-21 [--row:1.75rem]" />
            </li>
          ))}
        </ul>
      </NoBoards>
    ) : (
      <>
        <InitialDay today={today} viewerId={user.id} hasTimer={hasTimer} />
        <ul className={GRID}>
          {today.boards.slice(0, BOARDS_AT_MOST).map((board) => (
            <li key={board.id}>
              <a href={board.locked ? '/subscribe' : `/board/${board.id}`} className={board.locked ? LOCKED_CARD : OPEN_CARD}>
                <CardText board={board} />
                <span className={CARD_FOOT}>
                  <BoardFacts board={board} facts={board} bar={false} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)
