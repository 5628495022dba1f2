import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { NewPasswordDialog } from '../../account/page/NewPasswordDialog'
import { useViewer } from '../../auth/page/cache'
import { asksForPassword } from '../../auth/page/newPasswordPrompt'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { FirstBoard } from '../../boardStarters/page/FirstBoard'
import { Imports } from '../../imports/page/Imports'
import { PageTitle } from '../../time/page/HeaderTimer'
import { BoardFacts } from '../../today/page/BoardFacts'
import { useToday } from '../../today/page/cache'
import { MyDay } from '../../today/page/MyDay'
import { Button } from '../../web/ui/Button'
import { BoardGrid } from './BoardGrid'
import { useOwnBoards } from './cache'
import { DASHBOARD, DashboardPlaceholder, NoBoards, Welcome } from './DashboardSkeleton'
import { DeletedBoards } from './DeletedBoards'
import { NewBoard } from './NewBoard'

type Props = { creating?: boolean; notice?: ReactNode }

export function Dashboard({ creating = false, notice }: Props) {
  const user = useViewer()
  const boards = useOwnBoards()
  const today = useToday()
  const facts = new Map(today.data?.boards.map((board) => [board.id, board]))
  const [askForPassword] = useState(asksForPassword)
  return (
    <>
      <PageTitle>Dashboard</PageTitle>
      {askForPassword && <NewPasswordDialog />}
      <div className="relative flex-1 overflow-y-auto">
        <div className={DASHBOARD}>
          {notice}
          <Welcome user={user} status={<Imports />}>
            {!user.isPro && (
              <Button asChild>
                <UpgradeLink>Upgrade to Pro</UpgradeLink>
              </Button>
            )}
            <Button asChild>
              <Link to="/import">Import</Link>
            </Button>
            <NewBoard openAtOnce={creating}>
              {(open) => (
                <Button look="primary" onClick={open}>
                  <Plus className="size-4" aria-hidden />
                  New Board
                </Button>
              )}
            </NewBoard>
          </Welcome>
          {boards.isError ? (
            <BoardsNotLoaded retry={() => void boards.refetch()} />
          ) : boards.data?.length === 0 ? (
            <NoBoards>
              <FirstBoard />
            </NoBoards>
          ) : boards.data ? (
            <>
              <MyDay today={today} boards={boards.data} />
              <BoardGrid boards={boards.data} more={(board) => <BoardFacts board={board} facts={facts.get(board.id)} />} />
            </>
          ) : (
            <DashboardPlaceholder />
          )}
          <DeletedBoards />
        </div>
      </div>
    </>
  )
}

const BoardsNotLoaded = ({ retry }: { retry(): void }) => (
  <section className="flex flex-col items-center gap-4 rounded-panel bg-column px-6 py-16 text-center" role="alert">
    <p className="text-quiet">Your boards could not be loaded.</p>
    <Button onClick={retry}>Try again</Button>
  </section>
)
