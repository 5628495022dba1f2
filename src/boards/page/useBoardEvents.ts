import { useNavigate } from '@tanstack/react-router'
import { shortDuration } from '../../activity/page/display'
import { useViewer } from '../../auth/page/cache'
import { displayName } from '../../users/schema'
import { send, useLiveMessages } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { LONG, toast } from '../../web/toast'
import { RESTORABLE_DAYS } from '../basics'
import { forgetBoard, snapshotQuery } from './cache'
import { deletedBoardsQuery, downloadHours } from './deletedBoardsCache'

/** Toasts about others' changes; leaves a board that is gone. */
export function useBoardEvents(boardId: number) {
  const viewer = useViewer()
  const leave = useLeave(boardId)
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
      if (isOthers(payload)) void tellOfDeletion(boardId)
    },
    board_restored: (payload) => concerns(payload) && send({ type: 'join_board', payload: { boardId } }),
    // The membership ended while the socket was not connected.
    error(payload) {
      const wasOpen = queryClient.getQueryData(snapshotQuery(boardId).queryKey) !== undefined
      if (concerns(payload) && payload.code === 'NOT_FOUND' && wasOpen) leave(ACCESS_REMOVED)
    },
  })
}

const ACCESS_REMOVED = { title: 'Access Removed', description: 'You no longer have access to this board.' }
const BOARD_DELETED = { title: 'Board Deleted', description: 'This board has been deleted by its creator.' }

async function tellOfDeletion(boardId: number) {
  const boards = await queryClient.fetchQuery(deletedBoardsQuery()).catch(() => [])
  const minutes = boards.find(({ id }) => id === boardId)?.minutes ?? 0
  if (minutes === 0) return toast({ variant: 'destructive', ...BOARD_DELETED })
  const { title, description } = BOARD_DELETED
  return toast({
    variant: 'destructive',
    title,
    description: `${description} Your ${shortDuration(minutes)} on it can be downloaded for ${RESTORABLE_DAYS} days, on the dashboard too.`,
    duration: LONG,
    actions: [{ label: 'Download my hours', run: () => downloadHours(boardId) }],
  })
}

function useLeave(boardId: number) {
  const navigate = useNavigate()
  return (reason: typeof ACCESS_REMOVED | false) => {
    if (reason) toast({ variant: 'destructive', ...reason })
    void navigate({ to: '/' }).then(() => forgetBoard(boardId))
  }
}
