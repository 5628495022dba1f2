import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { memo, useEffect } from 'react'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import type { Announced, ChannelMessage } from '../../protocol'
import { Columns } from '../../tasks/page/Columns'
import { displayName } from '../../users/schema'
import { joinBoard, useLiveMessages } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/LoadFailed'
import type { BoardMessage } from '../schema'
import { BoardHeader } from './BoardHeader'
import { BoardSkeleton } from './BoardSkeleton'
import { BoardUnavailable, forgetBoard, snapshotQuery, useBoardView, useIsLocked, useSnapshot } from './cache'

export function BoardPage() {
  const { boardId } = useParams({ from: '/board/$boardId' })
  return <OpenBoard key={boardId} boardId={boardId} />
}

/** Most changes are of tasks and leave the header as it is. */
const Header = memo(BoardHeader)

/** The board exists, but was asked for too often. */
const TOO_MANY = 429

function OpenBoard({ boardId }: { boardId: number }) {
  const { error, refetch } = useSnapshot(boardId)
  const view = useBoardView(boardId)
  const locked = useIsLocked(boardId)
  useEffect(() => joinBoard(boardId), [boardId])
  useBoardEvents(boardId)

  if (view)
    return (
      <>
        <title>{`${view.board.name} · wrk`}</title>
        {locked && <LockedNotice />}
        <Header board={view.board} locked={locked} />
        <Columns boardId={boardId} tasks={view.tasks} board={view.board} locked={locked} />
      </>
    )
  if (!error) return <BoardSkeleton />
  const gone = error instanceof BoardUnavailable && error.status < 500 && error.status !== TOO_MANY
  return gone ? <BoardNotFound /> : <LoadFailed retry={() => void refetch()} />
}

/** Toasts about others' changes; leaves a board that is gone. */
function useBoardEvents(boardId: number) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const goHome = async () => {
    await navigate({ to: '/' })
    forgetBoard(boardId)
  }
  const say = (title: string, description: string) => toast({ variant: 'destructive', title, description })
  const loseAccess = () => {
    say('Access Removed', 'You no longer have access to this board.')
    void goHome()
  }
  const concerns = (payload: { boardId?: number }) => payload.boardId === boardId
  const isOthers = (payload: { boardId: number; by: number }) => concerns(payload) && payload.by !== viewer.id
  useLiveMessages<Announced<BoardMessage> | ChannelMessage>({
    board_member_removed(payload) {
      if (!concerns(payload) || payload.userId !== viewer.id) return
      if (isOthers(payload)) loseAccess()
      else void goHome()
    },
    // The membership ended while the socket was not connected.
    error(payload) {
      const wasOpen = queryClient.getQueryData(snapshotQuery(boardId).queryKey) !== undefined
      if (concerns(payload) && payload.code === 'NOT_FOUND' && wasOpen) loseAccess()
    },
    board_deleted(payload) {
      if (!isOthers(payload)) return
      say('Board Deleted', 'This board has been deleted by its creator.')
      void goHome()
    },
    board_member_added(payload) {
      if (isOthers(payload)) toast({ title: 'New Member', description: `${displayName(payload.user)} has joined the board.` })
    },
  })
}

const LockedNotice = () => (
  <p className="mx-4 mt-3 rounded-card bg-column px-3 py-2 sm:mx-6" role="note">
    This board is read-only for you: the Free plan holds 1 board, the first that you created.{' '}
    <UpgradeLink className="font-strong underline underline-offset-4">Upgrade to Pro</UpgradeLink>
  </p>
)

const BoardNotFound = () => (
  <section className="m-auto flex max-w-md flex-col items-center gap-4 px-6 text-center">
    <title>Board Not Found · wrk</title>
    <div className="flex flex-col gap-1">
      <h1 className="font-strong text-title">Board Not Found</h1>
      <p className="text-quiet">The board you're looking for doesn't exist or you don't have access to it.</p>
    </div>
    <Button asChild>
      <Link to="/">To the dashboard</Link>
    </Button>
  </section>
)
