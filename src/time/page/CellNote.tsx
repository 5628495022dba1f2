import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import MessageSquareText from 'lucide-react/icons/message-square-text'
import { type RefObject, useRef, useState } from 'react'
import { shortDay, WEEKDAYS, weekdayOf } from '../../days'
import { FOCUSED_AT_END, TextArea } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { useDraft } from '../../web/useDraft'
import { NOTE_MAX } from '../limits'
import type { TimeEntry } from '../schema'
import { noteTime } from './cache'

/** `now` is what others have put there; empty where they cleared it. */
export const overtakenText = (now: string | null) =>
  `This was ${now ? `changed to ${now}` : 'cleared'} in the meantime. Press Enter to save yours, Escape to discard it.`

type NoteProps = {
  id: string
  entry: TimeEntry
  label: string
  open: boolean
  onOpenChange(open: boolean): void
  cell: RefObject<HTMLInputElement | null>
}

/** The note of an entry alone in its cell: saved when it is left, but for Escape. */
export function CellNote({ id, entry, label, open, onOpenChange, cell }: NoteProps) {
  const draft = useDraft(`time-note-${entry.id}`, { note: entry.note ?? '' })
  const [failure, setFailure] = useState<string>()
  const { note } = draft.values
  const isDiscarded = useRef(false)
  async function send() {
    if (!(await noteTime(entry, note.trim()))) draft.type({ note })
  }
  const change = (next: boolean) => {
    setFailure(undefined)
    if (isDiscarded.current) {
      isDiscarded.current = false
      draft.discard()
      return onOpenChange(next)
    }
    if (!next && draft.isOvertaken('note')) {
      draft.keepMine('note')
      return setFailure(overtakenText(entry.note && `“${entry.note}”`))
    }
    if (!next && draft.typed.note !== undefined) {
      draft.discard()
      if (note.trim() !== (entry.note ?? '')) void send()
    }
    onOpenChange(next)
  }
  const Icon = entry.note ? MessageSquareText : MessageSquarePlus
  return (
    <Popover
      open={open}
      onOpenChange={change}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${entry.note ? 'Note' : 'Add a note'}: ${label}`}
          title={entry.note ?? 'Add a note'}
          className={`absolute top-1 left-0.5 grid size-6 place-items-center rounded-chip text-quiet hover:text-text pointed:opacity-100 pointer-coarse:opacity-100 ${entry.note ? '' : 'opacity-0'}`}
        >
          <Icon className="size-3.5" aria-hidden />
        </button>
      }
    >
      {entry.note && (
        <span id={id} className="sr-only">
          Note: {entry.note}
        </span>
      )}
      <PopoverPanel
        label={`Note: ${label}`}
        align="end"
        className="z-30 w-72 gap-2 p-3"
        onEscape={() => {
          isDiscarded.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (document.activeElement === document.body) cell.current?.focus()
        }}
      >
        <p className="flex items-baseline gap-2">
          <bdi className="min-w-0 flex-1 truncate font-strong">{entry.task}</bdi>
          <span className="tabular shrink-0 text-quiet text-small">
            {WEEKDAYS[weekdayOf(entry.day)]} {shortDay(entry.day)}
          </span>
        </p>
        <TextArea
          aria-label="Note"
          placeholder="What was done?"
          {...FOCUSED_AT_END}
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => draft.type({ note: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            change(false)
          }}
        />
        {failure && (
          <p role="alert" className="text-danger text-small">
            {failure}
          </p>
        )}
      </PopoverPanel>
    </Popover>
  )
}
