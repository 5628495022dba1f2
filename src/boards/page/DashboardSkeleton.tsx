import { Pin, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { displayName, type OwnUser } from '../../users/schema'
import { preview } from '../../web/preview'
import { Button } from '../../web/ui/Button'
import { inOwnOrder } from '../basics'
import type { BoardListItem } from '../schema'

export const DASHBOARD = 'mx-auto flex max-w-6xl flex-col gap-8 px-4 py-6 sm:px-8 sm:py-10'
export const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'
const CARD = 'flex min-h-40 flex-col gap-1.5 rounded-panel p-4'
export const OPEN = `${CARD} bg-surface shadow-card`
export const LOCKED = `${CARD} bg-column`
/** Above the boards: what is to be done, and beside it the time. */
export const DAY = 'grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem]'

export type DashboardBeginning = { user: OwnUser; boards: BoardListItem[] }

export const Welcome = ({ user, children }: { user: OwnUser; children: ReactNode }) => (
  <header className="flex flex-wrap items-end justify-between gap-4">
    <div className="flex flex-col gap-1">
      <h1 className="font-strong text-title">
        Welcome, <bdi>{displayName(user)}</bdi>
      </h1>
      <p className="text-quiet">{user.isPro ? 'Pro Plan' : 'Free Plan'}</p>
    </div>
    <div className="flex gap-2">{children}</div>
  </header>
)

/** What a card of a board begins with. */
export const CardText = ({ board }: { board: BoardListItem }) => (
  <>
    <span className="flex items-start gap-2 pr-7">
      {board.pinned && <Pin className="mt-0.5 size-4 shrink-0 text-quiet" aria-label="Pinned" />}
      <span dir="auto" className={`line-clamp-1 break-all font-strong ${board.locked ? 'text-quiet' : ''}`}>
        {board.name}
      </span>
      {board.locked && <span className="shrink-0 rounded-card bg-accent-soft px-1.5 text-accent text-small">Pro Only</span>}
    </span>
    <span dir="auto" className="line-clamp-2 break-words text-quiet">
      {preview(board.description ?? '') || 'No description'}
    </span>
  </>
)

// None of them pulses: so many layers, drawn sixty times a second, would take the processor from the scripts they wait for.
export const Placeholders = () =>
  [1, 2, 3].map((nth) => (
    <li key={nth} className={OPEN}>
      <span className="h-5 w-1/2 rounded-card bg-edge/30" />
      <span className="h-4 w-5/6 rounded-card bg-edge/30" />
      <span className="mt-auto h-1 w-full rounded-full bg-edge/30" />
      <span className="mt-1 h-4 w-20 rounded-card bg-edge/30" />
    </li>
  ))

const ROWS = ['w-48', 'w-64', 'w-40', 'w-56']

export const DayPlaceholder = () => (
  <div className={DAY}>
    <div className="flex flex-col gap-1">
      <span className="mb-1 h-4 w-20 rounded-card bg-edge/30" />
      {ROWS.map((width) => (
        <span key={width} className="flex h-11 items-center gap-3">
          <span className="size-[1.125rem] rounded-full bg-edge/30" />
          <span className={`h-4 rounded-card bg-edge/30 ${width}`} />
        </span>
      ))}
    </div>
    <div className="flex h-36 flex-col gap-3">
      <span className="h-4 w-24 rounded-card bg-edge/30" />
      <span className="flex-1 border-line border-b" />
    </div>
  </div>
)

/** The shape of the dashboard, so that nothing jumps when it arrives. The server puts in what it begins with. */
export const DashboardSkeleton = ({ beginning }: { beginning?: DashboardBeginning }) =>
  beginning ? (
    <div className="relative flex-1 overflow-y-auto" aria-busy>
      <div className={DASHBOARD}>
        <Beginning {...beginning} />
      </div>
    </div>
  ) : (
    <div className="relative flex-1 overflow-y-auto" role="status" aria-label="Loading">
      <div className={DASHBOARD}>
        <div className="flex h-14 flex-col justify-center gap-2">
          <span className="h-5 w-48 rounded-card bg-edge/30" />
          <span className="h-4 w-20 rounded-card bg-edge/30" />
        </div>
        <DayPlaceholder />
        <ul className={GRID}>
          <Placeholders />
        </ul>
      </div>
    </div>
  )

const Beginning = ({ user, boards }: DashboardBeginning) => (
  <>
    <Welcome user={user}>
      {!user.isPro && (
        <Button asChild>
          <a href="/subscribe">Upgrade to Pro</a>
        </Button>
      )}
      <Button asChild>
        <a href="/import">Import</a>
      </Button>
      <Button look="primary" asChild>
        <a href="/board/new">
          <Plus className="size-4" aria-hidden />
          New Board
        </a>
      </Button>
    </Welcome>
    <DayPlaceholder />
    <ul className={GRID}>
      {inOwnOrder(boards).map((board) => (
        <li key={board.id}>
          <a href={board.locked ? '/subscribe' : `/board/${board.id}`} className={board.locked ? LOCKED : OPEN}>
            <CardText board={board} />
          </a>
        </li>
      ))}
    </ul>
  </>
)
