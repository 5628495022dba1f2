import { useRef } from 'react'
import { Popover, PopoverPanel } from '../../../web/ui/Popover'
import { clockOf } from '../../entries/basics'
import { EntryStrip } from '../../entries/page/EntryStrip'
import { TimerButtons } from '../../timers/page/TimerButtons'
import { type CellProps, minutesOf } from './cells'

/** What is in a cell, one by one. */
export function CellEntries({ task, entries, now, place, locked, label }: CellProps & { label: string }) {
  const cell = useRef<HTMLButtonElement>(null)
  const running = entries.some(({ runningSince }) => runningSince)
  const toCell = () => cell.current?.focus()
  const sum = clockOf(minutesOf(entries, now))
  return (
    <Popover
      trigger={
        <button
          type="button"
          ref={cell}
          data-cell={place}
          className="tabular flex h-8 w-full min-w-14 items-center justify-end gap-1.5 rounded-card bg-column px-2 hover:bg-hover"
        >
          {running && <span className="size-1.5 rounded-full bg-done" aria-hidden />}
          {entries.length > 1 && (
            <span className="text-quiet text-small" aria-hidden>
              {entries.length}×
            </span>
          )}
          <span aria-hidden>{sum}</span>
          <span className="sr-only">
            {`${label}: ${sum}, ${running ? 'a timer runs' : entries.length === 1 ? '1 entry' : `${entries.length} entries`}`}
          </span>
        </button>
      }
    >
      <PopoverPanel label={label} align="end">
        {entries.map(
          (entry) =>
            entry.status !== 'completed' && (
              <div key={entry.id} className="flex gap-2">
                <TimerButtons boardId={task.boardId} timer={entry} onGone={toCell} />
              </div>
            ),
        )}
        <EntryStrip
          board={{ id: task.boardId, importedAt: null }}
          entries={entries}
          more={false}
          locked={locked}
          onFurther={() => {}}
          onDeleted={toCell}
        />
      </PopoverPanel>
    </Popover>
  )
}
