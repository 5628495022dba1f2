import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { STATUS_LABELS, type Status, type Task } from './inputs'
import { DropLine, TaskCard } from './TaskCard'
import { columnData } from './useCardDrops'

type Props = {
  status: Status
  tasks: Task[]
  /** The card that is being moved by keyboard. */
  lifted: number | null
  /** The card that is to have the focus. */
  focused: number | null
  locked: boolean
  onOpen(task: Task): void
  onKey(task: Task, event: KeyboardEvent): void
  onAdd(status: Status): void
}

const DOTS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }
const CARD_HEIGHT = 92
const GAP = 8

export function Column({ status, tasks, lifted, focused, locked, onOpen, onKey, onAdd }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const over = useColumnDrop(scroller, status)
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => tasks[index]?.id ?? index,
    estimateSize: () => CARD_HEIGHT,
    gap: GAP,
    overscan: 6,
    paddingEnd: GAP,
  })
  useFocusedCard(scroller, tasks, focused, lifted, (index) => virtual.scrollToIndex(index, { align: 'auto' }))
  return (
    <section
      aria-label={STATUS_LABELS[status]}
      className={`flex min-h-0 w-[88%] shrink-0 snap-center flex-col rounded-panel transition-colors duration-150 md:w-auto md:shrink ${over ? 'bg-hover' : 'bg-column'}`}
    >
      <h2 className="flex items-center gap-2 px-3.5 pt-3 pb-1 font-strong">
        <span className={`size-2 rounded-full ${DOTS[status]}`} />
        {STATUS_LABELS[status]}
        <span className="tabular font-normal text-quiet">{tasks.length}</span>
      </h2>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden px-2 pt-1">
        {tasks.length === 0 && <p className="px-1.5 py-1 text-quiet">No tasks in this column</p>}
        <ul className="relative" style={{ height: virtual.getTotalSize() }} aria-label={`${STATUS_LABELS[status]} tasks`}>
          {virtual.getVirtualItems().map((item) => {
            const task = tasks[item.index]
            return (
              task && (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  aria-setsize={tasks.length}
                  aria-posinset={item.index + 1}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <TaskCard task={task} lifted={lifted === task.id} locked={locked} onOpen={onOpen} onKey={onKey} />
                </li>
              )
            )
          })}
          {over === 'end' && <DropLine style={{ top: virtual.getTotalSize() - GAP / 2 - 1 }} />}
        </ul>
      </div>
      {!locked && (
        <button
          type="button"
          onClick={() => onAdd(status)}
          className="m-2 mt-1 flex items-center gap-1.5 rounded-card px-1.5 py-2 text-quiet hover:bg-hover hover:text-text"
        >
          <Plus className="size-4" aria-hidden />
          Add Task
        </button>
      )}
    </section>
  )
}

/** Whether a card is dragged over the column: over one of its cards, or at its end. */
function useColumnDrop(scroller: React.RefObject<HTMLDivElement | null>, status: Status) {
  const [over, setOver] = useState<false | 'card' | 'end'>(false)
  useEffect(() => {
    const element = scroller.current
    const section = element?.closest('section')
    if (!element || !section) return
    const isCard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'card'
    return combine(
      dropTargetForElements({
        element: section,
        canDrop: isCard,
        getData: () => columnData(status),
        onDrag: ({ location, self }) => setOver(location.current.dropTargets[0]?.element === self.element ? 'end' : 'card'),
        onDragLeave: () => setOver(false),
        onDrop: () => setOver(false),
      }),
      autoScrollForElements({ element, canScroll: isCard }),
    )
  }, [scroller, status])
  return over
}

/** Gives the focus to a card that was walked or moved to, once it is there. */
function useFocusedCard(
  scroller: React.RefObject<HTMLDivElement | null>,
  tasks: Task[],
  focused: number | null,
  lifted: number | null,
  scrollTo: (index: number) => void,
) {
  const index = focused === null ? -1 : tasks.findIndex(({ id }) => id === focused)
  useEffect(() => {
    if (index < 0) return
    scrollTo(index)
    const frame = requestAnimationFrame(() => {
      const card = scroller.current?.querySelector<HTMLElement>(`[data-task="${focused}"]`)
      card?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [index, focused, lifted])
}
