import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { memo, useEffect } from 'react'
import { Shell } from '../../app/Shell'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import type { ServerMessage } from '../../protocol'
import { Columns } from '../../tasks/page/Columns'
import { BOARD_ID } from '../../tasks/page/useKeyboardMove'
import { displayName } from '../../users/schema'
import { joinBoard, useLiveMessages } from '../../web/socket'
import { toast } from '../../web/toast'
import { queryClient } from '../../web/trpc'
import { Button } from '../../web/ui/Button'
import { OutOfReach } from '../../web/ui/LoadFailed'
import { BoardHeader } from './BoardHeader'
import { BoardSkeleton } from './BoardSkeleton'
import { useBoardView } from './boardMutation'
import { BoardUnavailable, forgetBoard, snapshotQuery, useIsLocked, useSnapshot } from './cache'

export function BoardPage() {
  const { boardId } = useParams({ from: '/board/$boardId' })
  return (
    <Shell skip={SKIP}>
      <OpenBoard key={boardId} boardId={boardId} />
    </Shell>
  )
}

const SKIP = { id: BOARD_ID, name: 'the board' }

/** It has no part in most changes, which are of tasks. */
const Header = memo(BoardHeader)

/** The board is there, one has only asked too often. */
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
  return gone ? <BoardNotFound /> : <OutOfReach retry={() => void refetch()} />
}

/** What others' changes mean for whoever has the board open (board-page.md, section 4). */
function useBoardEvents(boardId: number) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const goHome = async () => {
    await navigate({ to: '/' })
    forgetBoard(boardId)
  }
  const say = (title: string, description: string) => toast({ variant: 'destructive', title, description })
  useLiveMessages((message: ServerMessage) => {
    if (!('boardId' in message.payload) || message.payload.boardId !== boardId) return
    if (isLoss(message, viewer.id)) {
      if (!isBy(message, viewer.id)) say('Access Removed', 'You no longer have access to this board.')
      void goHome()
    } else if (message.type === 'board_deleted' && !isBy(message, viewer.id)) {
      say('Board Deleted', 'This board has been deleted by its creator.')
      void goHome()
    } else if (message.type === 'board_member_added' && !isBy(message, viewer.id)) {
      toast({ title: 'New Member', description: `${displayName(message.payload.user)} has joined the board.` })
    }
  })
}

const isBy = ({ payload }: ServerMessage, userId: number) => 'by' in payload && payload.by === userId

/** Whether one's membership ended: now, or while one was away and could not hear of it. */
const isLoss = (message: ServerMessage, viewerId: number) =>
  message.type === 'error'
    ? message.payload.code === 'NOT_FOUND' &&
      queryClient.getQueryData(snapshotQuery(message.payload.boardId ?? 0).queryKey) !== undefined
    : message.type === 'board_member_removed' && message.payload.userId === viewerId

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
