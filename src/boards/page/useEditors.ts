import { useEffect, useState } from 'react'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/socket'
import type { BoardMessage, EditingMessage } from '../schema'

/** Whoever closes the page amid editing sends no end: after so many milliseconds without a word they count as gone. */
const FORGOTTEN_AFTER = 60_000

type Editor = { user: UserSummary; element: string }

/** Who else edits the board's name or description just now, the last to begin. */
export function useEditors(boardId: number): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  const clear = (userId: number) => {
    if (editor?.user.id === userId) setEditor(null)
  }
  useLiveMessages<BoardMessage | EditingMessage>({
    board_member_removed: ({ userId }) => clear(userId),
    editing_status({ user, element, status, ...payload }) {
      if (payload.boardId !== boardId) return
      if (status === 'started') setEditor({ user, element })
      else clear(user.id)
    },
  })
  useEffect(() => {
    if (!editor) return
    const timer = setTimeout(setEditor, FORGOTTEN_AFTER, null)
    return () => clearTimeout(timer)
  }, [editor])
  return editor
}
