import { useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { Board } from '../../boards/schema'
import { newCommentDraft } from '../../comments/page/cache'
import { displayName } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import { toast } from '../../web/toast'
import { withCopy } from '../../web/unsavedText'
import { typedIn } from '../../web/useDraft'

/** Who changed the task last. When the task is deleted, the dialog closes and offers to copy unsaved text. */
export function useOthersChanges(board: Board, taskId: number, text: string, onDeleted: () => void) {
  const viewer = useViewer()
  const [changedBy, setChangedBy] = useState<number>()
  useLiveMessages({
    task_updated({ task, by }) {
      if (task.id === taskId) setChangedBy(by)
    },
    task_deleted({ by, ...deleted }) {
      if (deleted.taskId !== taskId) return
      const written = [text, typedIn(newCommentDraft(taskId), 'content')].filter(Boolean).join('\n\n')
      if (written) toast({ title: 'Task Deleted', ...withCopy(written) })
      else if (by !== viewer.id) toast({ title: 'Task Deleted' })
      onDeleted()
    },
  })
  const member = board.members.find(({ id }) => id === changedBy)
  return member && displayName(member)
}
