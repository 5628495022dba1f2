import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Board } from '../../boards/schema'
import type { Status, Task } from '../schema'
import { QuickAdd } from './QuickAdd'

type Given = {
  board: Board
  columns: RefObject<HTMLElement | null>
  shows(task: Task): boolean
  onDetails(status: Status): void
  onShow(task: Task): void
}

/** The line at a column's end in which tasks are added; of one column at a time. */
export function useQuickAdd({ board, columns, shows, onDetails, onShow }: Given) {
  const [column, setColumn] = useState<Status | null>(null)
  const opener = useRef<Element | null>(null)
  const open = useCallback((status: Status) => {
    opener.current = document.activeElement
    setColumn(status)
  }, [])
  const isOpen = column !== null
  // Toasts stand above it.
  useEffect(() => {
    document.body.toggleAttribute('data-line', isOpen)
    return () => document.body.removeAttribute('data-line')
  }, [isOpen])
  const close = () => {
    flushSync(() => setColumn(null))
    const from = opener.current
    const back = from instanceof HTMLElement && from !== document.body && from.isConnected ? from : null
    ;(back ?? columns.current?.querySelector<HTMLElement>(`[data-add="${column}"]`))?.focus()
  }
  const lineOf = (status: Status): ReactNode =>
    status === column && (
      <QuickAdd
        boardId={board.id}
        status={status}
        members={board.members}
        onClose={close}
        onLeave={() => setColumn(null)}
        onDetails={() => onDetails(status)}
        shows={shows}
        onShow={onShow}
      />
    )
  return { open, lineOf }
}
