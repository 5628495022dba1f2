import { useEffect, useState } from 'react'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/socket'

/** Whoever closes the page amid editing sends no end: after so many milliseconds without a word they count as gone. */
const FORGOTTEN_AFTER = 60_000

type Editor = { user: UserSummary; element: string }

/** Who else edits the board's name or description just now, the last to begin. */
export function useEditors(boardId: number): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  useLiveMessages((message) => {
    if (message.type === 'board_member_removed' && message.payload.userId === editor?.user.id) setEditor(null)
    if (message.type !== 'editing_status' || message.payload.boardId !== boardId) return
    const { user, element, status } = message.payload
    if (status === 'started') setEditor({ user, element })
    else if (editor?.user.id === user.id) setEditor(null)
  })
  useEffect(() => {
    if (!editor) return
    const timer = setTimeout(setEditor, FORGOTTEN_AFTER, null)
    return () => clearTimeout(timer)
  }, [editor])
  return editor
}
