import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Board } from '../../boards/schema'
import { lazyComponent } from '../../web/lazy'
import { TextArea } from '../../web/ui/Field'
import { FOCUSED_AT_END } from '../../web/ui/focusedAtEnd'
import type { Status, Task } from '../schema'
import { LINE_HINT, useLineDraft } from './lineDraft'

export const QuickAdd = lazyComponent(() => import('./QuickAdd').then((module) => module.QuickAdd))

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
        fallback={<EarlyLine boardId={board.id} status={status} onClose={close} />}
        onLost={() => setColumn(null)}
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

/** The line goes on with what is typed here, for both have the same draft. */
function EarlyLine({ boardId, status, onClose }: { boardId: number; status: Status; onClose(): void }) {
  const draft = useLineDraft(boardId, status)
  return (
    <form aria-label="New task" aria-busy className="m-2 mt-1 flex h-21 flex-col">
      <TextArea
        aria-label="Task Title"
        className="min-h-10!"
        {...FOCUSED_AT_END}
        rows={1}
        placeholder={LINE_HINT}
        value={draft.values.text}
        onChange={({ target }) => draft.type({ text: target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
    </form>
  )
}
