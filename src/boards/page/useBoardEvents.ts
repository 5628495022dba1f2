import { useNavigate } from '@tanstack/react-router'
import { useViewer } from '../../auth/page/cache'
import { displayName } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { toast } from '../../web/toast'
import { forgetBoard, snapshotQuery } from './cache'

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
    board_deleted: (payload) => isOthers(payload) && leave(BOARD_DELETED),
    // The membership ended while the socket was not connected.
    error(payload) {
      const wasOpen = queryClient.getQueryData(snapshotQuery(boardId).queryKey) !== undefined
      if (concerns(payload) && payload.code === 'NOT_FOUND' && wasOpen) leave(ACCESS_REMOVED)
    },
  })
}

const ACCESS_REMOVED = { title: 'Access Removed', description: 'You no longer have access to this board.' }
const BOARD_DELETED = { title: 'Board Deleted', description: 'This board has been deleted by its creator.' }

function useLeave(boardId: number) {
  const navigate = useNavigate()
  return (reason: typeof ACCESS_REMOVED | false) => {
    if (reason) toast({ variant: 'destructive', ...reason })
    void navigate({ to: '/' }).then(() => forgetBoard(boardId))
  }
}
