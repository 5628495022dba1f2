import { Link, useParams } from '@tanstack/react-router'
import { memo, useEffect } from 'react'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { Columns } from '../../tasks/page/Columns'
import { PageTitle } from '../../time/page/HeaderTimer'
import { lazyComponent } from '../../web/lazy'
import { joinBoard } from '../../web/live/socket'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { BoardHeader } from './BoardHeader'
import { BoardSkeleton, LockedNotice } from './BoardSkeleton'
import { useBoard, useIsLocked } from './cache'
import { PresenceProvider } from './Presence'
import { BoardUnavailable } from './readSnapshot'
import { useBoardEvents } from './useBoardEvents'

export function BoardPage() {
  const { boardId } = useParams({ from: '/board/$boardId' })
  return <OpenBoard key={boardId} boardId={boardId} />
}

const BoardNames = lazyComponent(() => import('../../imports/page/BoardNames').then((module) => module.BoardNames))

/** Most changes are of tasks and leave the header as it is. */
const Header = memo(BoardHeader)

/** The board exists, but was asked for too often. */
const TOO_MANY = 429

function OpenBoard({ boardId }: { boardId: number }) {
  const { data: view, error, refetch } = useBoard(boardId)
  const locked = useIsLocked(boardId)
  useEffect(() => joinBoard(boardId), [boardId])
  useBoardEvents(boardId)
  useEffect(keepSwipes, [])

  if (view)
    return (
      <PresenceProvider boardId={boardId} members={view.board.members}>
        <PageTitle>{view.board.name}</PageTitle>
        {locked && <LockedNotice upgrade={(look) => <UpgradeLink className={look}>Upgrade to Pro</UpgradeLink>} />}
        {!locked && view.board.importedAt !== null && <BoardNames fallback={null} onLost={() => {}} board={view.board} />}
        <Header board={view.board} locked={locked} />
        <Columns boardId={boardId} tasks={view.tasks} timers={view.timers} board={view.board} locked={locked} />
      </PresenceProvider>
    )
  if (!error) return <BoardSkeleton />
  const gone = error instanceof BoardUnavailable && error.status < 500 && error.status !== TOO_MANY
  return gone ? <BoardNotFound /> : <LoadFailed retry={() => void refetch()} error={error} />
}

/** A sideways swipe over the columns, or past their end, does not go back in the history. */
function keepSwipes() {
  const { style } = document.documentElement
  style.overscrollBehaviorX = 'none'
  return () => {
    style.overscrollBehaviorX = ''
  }
}

const BoardNotFound = () => (
  <section className="m-auto flex max-w-md flex-col items-center gap-4 px-6 text-center">
    <PageTitle>Board Not Found</PageTitle>
    <div className="flex flex-col gap-1">
      <h1 className="font-strong text-title">Board Not Found</h1>
      <p className="text-quiet">The board you're looking for doesn't exist or you don't have access to it.</p>
    </div>
    <Button asChild>
      <Link to="/">To the dashboard</Link>
    </Button>
  </section>
)
