import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { asksForPassword } from '../../auth/page/newPasswordPrompt'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { PageTitle } from '../../time/timers/page/PageTitle'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import type { BoardListItem } from '../schema'
import { boardsQuery } from './cache'
import { CARD, DASHBOARD, GRID, OPEN, Placeholders } from './DashboardSkeleton'
import { DeletedBoards } from './DeletedBoards'
import { NewBoard } from './NewBoard'

const NewPasswordDialog = lazy(() =>
  import('../../account/page/NewPasswordDialog').then((module) => ({ default: module.NewPasswordDialog })),
)

type Props = { creating?: boolean; notice?: ReactNode }

export function Dashboard({ creating = false, notice }: Props) {
  const user = useViewer()
  const boards = useQuery(boardsQuery())
  const [askForPassword] = useState(asksForPassword)
  return (
    <>
      <PageTitle>Dashboard</PageTitle>
      {askForPassword && (
        <Suspense>
          <NewPasswordDialog />
        </Suspense>
      )}
      <div className="flex-1 overflow-y-auto">
        <div className={DASHBOARD}>
          <Suspense>{notice}</Suspense>
          <header className="flex flex-wrap items-end justify-between gap-4">
            <div className="flex flex-col gap-1">
              <h1 className="font-strong text-title">
                Welcome, <bdi>{displayName(user)}</bdi>
              </h1>
              <p className="text-quiet">{user.isPro ? 'Pro Plan' : 'Free Plan'}</p>
            </div>
            <div className="flex gap-2">
              {!user.isPro && (
                <Button asChild>
                  <UpgradeLink>Upgrade to Pro</UpgradeLink>
                </Button>
              )}
              <NewBoard openAtOnce={creating}>
                {(open) => (
                  <Button look="primary" onClick={open}>
                    <Plus className="size-4" aria-hidden />
                    New Board
                  </Button>
                )}
              </NewBoard>
            </div>
          </header>
          {boards.isError ? (
            <BoardsNotLoaded retry={() => void boards.refetch()} />
          ) : boards.data?.length === 0 ? (
            <NoBoards />
          ) : (
            <ul className={GRID} aria-busy={!boards.data}>
              {boards.data ? boards.data.map((board) => <BoardCard key={board.id} board={board} />) : <Placeholders />}
            </ul>
          )}
          <DeletedBoards />
        </div>
      </div>
    </>
  )
}

function BoardCard({ board }: { board: BoardListItem }) {
  const members = `${board.memberCount} ${board.memberCount === 1 ? 'member' : 'members'}`
  const contents = (
    <>
      <span className="flex items-start justify-between gap-2">
        <span dir="auto" className={`line-clamp-1 break-all font-strong ${board.locked ? 'text-quiet' : ''}`}>
          {board.name}
        </span>
        {board.locked && <span className="shrink-0 rounded-card bg-accent-soft px-1.5 text-accent text-small">Pro Only</span>}
      </span>
      <span dir="auto" className="line-clamp-2 break-words text-quiet">
        {board.description || 'No description'}
      </span>
      <span className="tabular mt-auto text-quiet text-small">{members}</span>
    </>
  )
  return (
    <li>
      {board.locked ? (
        <UpgradeLink className={`${CARD} bg-column transition-colors duration-150 hover:bg-hover`}>{contents}</UpgradeLink>
      ) : (
        <Link
          to="/board/$boardId"
          params={{ boardId: board.id }}
          className={`${OPEN} transition-shadow duration-150 hover:shadow-hover`}
        >
          {contents}
        </Link>
      )}
    </li>
  )
}

const NoBoards = () => (
  <section className="flex flex-col items-center gap-4 rounded-panel bg-column px-6 py-16 text-center">
    <div className="flex flex-col gap-1">
      <h2 className="font-strong text-title">No boards yet</h2>
      <p className="text-quiet">Create your first board to start managing tasks</p>
    </div>
    <NewBoard>
      {(open) => (
        <Button look="primary" onClick={open}>
          Create Board
        </Button>
      )}
    </NewBoard>
  </section>
)

const BoardsNotLoaded = ({ retry }: { retry(): void }) => (
  <section className="flex flex-col items-center gap-4 rounded-panel bg-column px-6 py-16 text-center" role="alert">
    <p className="text-quiet">Your boards could not be loaded.</p>
    <Button onClick={retry}>Try again</Button>
  </section>
)
