import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { memo, useEffect } from 'react'
import { UpgradeLink } from '../../billing/page/Upgrade'
import { NO_ACCESS, RESTORABLE_DAYS } from '../../boards/limits'
import {
  boardsLeft,
  deletedBoardsQuery,
  downloadHours,
  forgetBoard,
  snapshotQuery,
  useBoard,
  useIsLocked,
} from '../../boards/page/cache'
import { PresenceProvider } from '../../boards/page/Presence'
import { durationText } from '../../format'
import { PageTitle } from '../../time/page/HeaderTimer'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { lazyComponent } from '../../web/lazyComponent'
import { ReadRefused } from '../../web/live/reachability'
import { joinBoard, send, useLiveMessages } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { LONG_SHOWN_FOR, toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { BoardHeader } from './BoardHeader'
import { BoardSkeleton, LockedNotice } from './BoardSkeleton'
import { Columns } from './Columns'

export function BoardPage() {
  const { boardId } = useParams({ from: '/board/$boardId' })
  return <OpenBoard key={boardId} boardId={boardId} />
}

const BoardNames = lazyComponent(() => import('../../imports/page/NameQuestion').then((module) => module.BoardNames))

/** Most changes are of tasks and leave the header alone. */
const Header = memo(BoardHeader)

function OpenBoard({ boardId }: { boardId: number }) {
  const { data: view, error, refetch } = useBoard(boardId)
  const locked = useIsLocked(boardId)
  useEffect(() => {
    boardsLeft.delete(boardId)
    return boardId > 0 ? joinBoard(boardId) : undefined
  }, [boardId])
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
  const gone = error instanceof ReadRefused && !error.mayPass
  return gone ? <BoardNotFound /> : <LoadFailed retry={() => void refetch()} error={error} />
}

/** Swiping sideways over the columns, or past their end, does not go back in history. */
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
      <h1 className="font-strong">Board Not Found</h1>
      <p className="text-balance text-quiet">The board you're looking for doesn't exist or you don't have access to it.</p>
    </div>
    <Button asChild>
      <Link to="/">Back to Dashboard</Link>
    </Button>
  </section>
)

/** Toasts about others' changes; leaves a board that is gone. */
function useBoardEvents(boardId: number) {
  const viewer = useViewer()
  const leave = useLeavePage(boardId)
  const concerns = (payload: { boardId?: number }) => payload.boardId === boardId
  const isOthers = (payload: { boardId: number; by: number }) => concerns(payload) && payload.by !== viewer.id
  useLiveMessages({
    board_member_added(payload) {
      if (isOthers(payload)) toast({ title: 'New Member', description: `${displayName(payload.user)} has joined the board.` })
    },
    board_member_removed(payload) {
      if (concerns(payload) && payload.userId === viewer.id) leave(isOthers(payload) && ACCESS_REMOVED)
    },
    board_deleted(payload) {
      if (!concerns(payload)) return
      leave(false)
      if (isOthers(payload)) void toastDeletion(boardId)
    },
    board_restored: (payload) => concerns(payload) && send({ type: 'join_board', payload: { boardId } }),
    // The membership ended while the socket was not connected.
    error(payload) {
      const wasOpen = queryClient.getQueryData(snapshotQuery(boardId).queryKey) !== undefined
      if (concerns(payload) && payload.code === 'NOT_FOUND' && wasOpen) leave(ACCESS_REMOVED)
    },
  })
}

const ACCESS_REMOVED = { title: 'Access Removed', description: NO_ACCESS }
const BOARD_DELETED = { title: 'Board Deleted', description: 'This board has been deleted by its creator.' }

async function toastDeletion(boardId: number) {
  const boards = await queryClient.fetchQuery(deletedBoardsQuery()).catch(() => [])
  const minutes = boards.find(({ id }) => id === boardId)?.minutes ?? 0
  if (minutes === 0) return toast({ variant: 'destructive', ...BOARD_DELETED })
  const { title, description } = BOARD_DELETED
  return toast({
    variant: 'destructive',
    title,
    description: `${description} For ${RESTORABLE_DAYS} days, you can download your hours (${durationText(minutes)}) from the dashboard.`,
    duration: LONG_SHOWN_FOR,
    actions: [{ label: 'Download my hours', run: () => downloadHours(boardId) }],
  })
}

function useLeavePage(boardId: number) {
  const navigate = useNavigate()
  return (reason: typeof ACCESS_REMOVED | false) => {
    if (reason) toast({ variant: 'destructive', ...reason })
    boardsLeft.add(boardId)
    void navigate({ to: '/' }).then(() => forgetBoard(boardId))
  }
}
