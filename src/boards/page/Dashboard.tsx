import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Plus, Trash2, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { NewPasswordDialog } from '../../account/page/NewPasswordDialog'
import { useViewer } from '../../auth/page/cache'
import { hasPasswordPrompt } from '../../auth/page/signIn'
import { dayAt } from '../../basics'
import { UpgradeDialog, UpgradeLink } from '../../billing/page/Upgrade'
import { FirstBoard } from '../../boardStarters/page/FirstBoard'
import { ImportStatus } from '../../imports/page/ImportStatus'
import { calendarDay, shortDuration } from '../../texts'
import { PageTitle } from '../../time/page/HeaderTimer'
import { BoardFacts } from '../../today/page/BoardFacts'
import { useToday } from '../../today/page/cache'
import { MyDay } from '../../today/page/MyDay'
import { settings } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { DeletedBoard } from '../schema'
import { BoardGrid } from './BoardGrid'
import { deletedBoardsQuery, downloadHours, useDeleteForGood, useOwnBoards, useRestoreBoard } from './cache'
import { DASHBOARD, DashboardPlaceholder, NoBoards, Welcome } from './DashboardSkeleton'
import { NewBoard } from './NewBoard'

type Props = { creating?: boolean; notice?: ReactNode }

export function Dashboard({ creating = false, notice }: Props) {
  const user = useViewer()
  const boards = useOwnBoards()
  const today = useToday()
  const facts = new Map(today.data?.boards.map((board) => [board.id, board]))
  const [askForPassword] = useState(hasPasswordPrompt)
  return (
    <>
      <PageTitle>Dashboard</PageTitle>
      {askForPassword && <NewPasswordDialog />}
      <div className="relative flex-1 overflow-y-auto">
        <div className={DASHBOARD}>
          {notice}
          <Welcome user={user} hasPlans={settings().hasPlans} status={<ImportStatus />}>
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

function DeletedBoards() {
  const { data: boards = [] } = useQuery(deletedBoardsQuery())
  const [offersPro, setOffersPro] = useState(false)
  return (
    <>
      {boards.length > 0 && (
        <section aria-labelledby="deleted-boards" className="flex flex-col gap-1 border-line border-t pt-6">
          <h2 id="deleted-boards" className="text-quiet">
            Deleted boards
          </h2>
          <ul className="flex flex-col">
            {boards.map((board) => (
              <Row key={board.id} board={board} onLimit={() => setOffersPro(true)} />
            ))}
          </ul>
        </section>
      )}
      {offersPro && <UpgradeDialog open onOpenChange={setOffersPro} />}
    </>
  )
}

function Row({ board, onLimit }: { board: DeletedBoard; onLimit(): void }) {
  const { id, name, until, mayRestore, minutes } = board
  const restore = useRestoreBoard(onLimit)
  const deletion = useDeleteForGood()
  const [asking, setAsking] = useState(false)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="truncate">
          {name}
        </p>
        <p className="tabular text-quiet text-small">
          Kept until {calendarDay(dayAt(new Date(until)))}
          {minutes > 0 && ` · ${shortDuration(minutes)} logged by you`}
        </p>
      </div>
      <div className={`flex flex-wrap gap-2 ${minutes > 0 ? 'max-sm:-ml-2' : ''}`}>
        {minutes > 0 && (
          <Button look="quiet" size="small" onClick={() => downloadHours(id)} aria-label={`Download my hours on ${name}`}>
            <Download className="size-3.5" aria-hidden />
            Download my hours
          </Button>
        )}
        {mayRestore && (
          <Button look="quiet" size="small" onClick={() => setAsking(true)} aria-label={`Delete ${name} for good`}>
            <Trash2 className="size-3.5" aria-hidden />
            Delete for good
          </Button>
        )}
        {mayRestore && (
          <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(id)} aria-label={`Restore ${name}`}>
            <Undo2 className="size-3.5" aria-hidden />
            Restore
          </Button>
        )}
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${name}” for good?`}
        text="Its tasks, files and logged time cannot be restored."
        action="Delete for good"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate(id, { onSettled: () => setAsking(false) })}
      />
    </li>
  )
}
