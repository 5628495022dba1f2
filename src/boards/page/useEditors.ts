import { useEffect, useState } from 'react'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'

/** A page that closes while editing sends no end, so an editor expires after so many milliseconds. */
const FORGOTTEN_AFTER = 60_000

type Editor = { user: UserSummary; element: string }

/** The last other user who began to edit the board's name or description. */
export function useEditors(boardId: number): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  const clear = (userId: number) => {
    if (editor?.user.id === userId) setEditor(null)
  }
  useLiveMessages({
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
