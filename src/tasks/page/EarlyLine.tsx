import { type RefObject, useLayoutEffect, useRef } from 'react'
import { TextArea } from '../../web/ui/Field'
import { FOCUSED_AT_END } from '../../web/ui/focusedAtEnd'
import type { Status } from '../schema'
import { useLineDraft } from './lineDraft'

/** Where one was in the early line, and whether Enter came last. */
export type Handed = { from: number; to: number; entered: boolean }

type Props = { boardId: number; status: Status; handed: RefObject<Handed | null>; onClose(): void }

/** Takes what is typed until the line has loaded, which goes on with it. */
export function EarlyLine({ boardId, status, handed, onClose }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const entered = useRef(false)
  const draft = useLineDraft(boardId, status)
  useLayoutEffect(() => {
    const { current } = area
    return () => {
      if (current) handed.current = { from: current.selectionStart, to: current.selectionEnd, entered: entered.current }
    }
  }, [handed])
  return (
    <form aria-label="New task" aria-busy className="m-2 mt-1 flex h-21 flex-col">
      <TextArea
        ref={area}
        aria-label="Task Title"
        className="min-h-10!"
        {...FOCUSED_AT_END}
        rows={1}
        placeholder={LINE_HINT}
        value={draft.values.text}
        onChange={({ target }) => draft.type({ text: target.value })}
        onKeyDown={({ key, shiftKey }) => {
          entered.current = key === 'Enter' && !shiftKey
          if (key === 'Escape') onClose()
        }}
      />
    </form>
  )
}

export const LINE_HINT = 'Task  @who  #tag  fri'
