import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useViewer } from '../../auth/page/cache'
import { snapshotQuery } from '../../boards/page/cache'
import { parseTaskHash } from '../../tasks/page/address'
import { queryClient } from '../../web/queryClient'
import { noteRecent } from '../../web/recent'

/** Notes which boards and tasks are opened, so that the finder shows them first. */
export function useNoteRecent(): void {
  const { id: userId } = useViewer()
  const { pathname, hash } = useLocation()
  const boardId = Number(/^\/board\/(\d+)$/.exec(pathname)?.[1])
  const taskId = parseTaskHash(hash).taskId
  useEffect(() => {
    if (boardId) void note(userId, boardId, taskId).catch(() => {})
  }, [userId, boardId, taskId])
}

async function note(userId: number, boardId: number, taskId: number) {
  const { data } = await queryClient.ensureQueryData(snapshotQuery(boardId))
  const task = data.tasks.find(({ id }) => id === taskId)
  if (task) noteRecent(userId, { boardId, taskId, title: task.title })
  else if (!taskId) noteRecent(userId, { boardId })
}
