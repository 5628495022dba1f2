import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Plus } from 'lucide-react'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { aliasOf, firstId } from '../../web/live/aliases'
import { sameProps } from '../../web/sameProps'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import { STATUS_LABELS, type Status, type Task } from '../schema'
import type { CardTimer } from './CardTimers'
import { isCard } from './dragLooks'
import { TaskCard } from './TaskCard'
import { gapAt } from './useCardDrops'
import { useFocusRequest } from './useFocusRequest'
import type { FocusRequest } from './useKeyboardMove'
import { useRestingPointer } from './useRestingPointer'

type Props = {
  status: Status
  tasks: Task[]
  timers: ReadonlyMap<number, CardTimer[]>
  empty: string
  lifted: number | null
  request: FocusRequest | null
  onFocused(): void
  locked: boolean
  /** Stands in the place of the button. */
  line: ReactNode
  onAdd(status: Status): void
}

const DOTS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }
const GAP = 8
const OVERSCAN = 4

export const Column = memo(function Column(props: Props) {
  const { status, tasks, timers, empty, lifted, request, onFocused, locked, line: adding, onAdd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [focused, setCurrent] = useState<number | null>(null)
  const current = focused && aliasOf(focused)
  // One stop for Tab in each column: the card that had the focus last, else the first.
  const stop = tasks.some(({ id }) => id === current) ? current : tasks[0]?.id
  const asked = request?.status && request.status !== status ? null : request
  const kept = [current, asked?.taskId].map((taskId) => tasks.findIndex(({ id }) => id === taskId))
  // Renders cards beyond the edges only after those in sight.
  const overscan = useDeferredValue(OVERSCAN, 0)
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    // Stable until the tasks change, for a new function makes the list measure everything again.
    getItemKey: useCallback((index) => firstId('task', tasks[index]?.id ?? index), [tasks]),
    estimateSize: (index) => heightOf(tasks[index]),
    // An estimate, so that the first render has the first cards.
    initialRect: { width: 0, height: window.innerHeight },
    // Once a frame is enough, and lets other work in between.
    useFlushSync: false,
    gap: GAP,
    overscan,
    // A card that has the focus, or is to get it, stays rendered wherever the list scrolls.
    rangeExtractor: (range) => withKept(range, kept),
    paddingEnd: tasks.length > 0 ? GAP : 0,
  })
  useRestingPointer(list)
  useDropTarget(list, status, (y, dragged) => gapAt(tasks, virtual.measurementsCache, y, dragged))
  useFocusRequest(asked, tasks, onFocused, (index) => {
    virtual.scrollToIndex(index, { align: 'auto' })
    return scroller.current
  })
  const isAdding = !!adding
  const last = tasks.at(-1)?.id
  const showLast = useEffectEvent(() => virtual.scrollToIndex(tasks.length - 1, { align: 'end' }))
  useEffect(() => {
    if (isAdding && last !== undefined) showLast()
  }, [isAdding, last])
  // `isolate` keeps the browser from painting other columns while this one scrolls.
  return (
    <section
      aria-label={STATUS_LABELS[status]}
      className="isolate flex min-h-0 w-[88%] shrink-0 snap-center flex-col rounded-panel bg-column transition-colors duration-150 data-over:bg-hover md:w-auto md:shrink"
    >
      <h2 className="flex items-center gap-2 px-3.5 pt-3 font-strong">
        <span className={`size-2 rounded-full ${DOTS[status]}`} />
        {STATUS_LABELS[status]}
        <span className="tabular font-normal text-quiet">{tasks.length}</span>
      </h2>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden px-2 pt-2">
        <ul
          ref={list}
          className="relative data-moving:after:absolute data-moving:after:inset-0 data-moving:after:z-20"
          style={{ height: virtual.getTotalSize() }}
          aria-label={`${STATUS_LABELS[status]} tasks`}
        >
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
                  className="item absolute inset-x-0 [contain:layout_style] data-drag:[&>button]:hidden data-[drag=image]:[&>span]:hidden"
                  style={{ top: item.start }}
                >
                  <TaskCard
                    task={task}
                    timers={timers.get(task.id)}
                    lifted={lifted === task.id}
                    locked={locked}
                    inTabOrder={task.id === stop}
                    onFocus={setCurrent}
                  />
                </li>
              )
            )
          })}
          <span data-drop-line hidden className="pointer-events-none absolute inset-x-0 top-0 z-10 h-0.5 rounded-full bg-accent">
            <span className="absolute -top-[3px] left-0 size-2 rounded-full bg-accent" />
          </span>
        </ul>
        {tasks.length === 0 && <p className="mt-1 px-1.5 text-quiet">{empty}</p>}
      </div>
      {adding}
      {!locked && !adding && (
        <button
          type="button"
          data-add={status}
          onClick={() => onAdd(status)}
          className="m-2 mt-1 flex items-center gap-1.5 rounded-card px-1.5 py-2 text-quiet hover:bg-hover hover:text-text"
        >
          <Plus className="size-4" aria-hidden />
          Add Task
        </button>
      )}
    </section>
  )
}, sameProps)

const withKept = (range: Range, kept: number[]): number[] =>
  [...new Set([...defaultRangeExtractor(range), ...kept.filter((index) => index >= 0)])].sort((a, b) => a - b)

/** An estimate of a card's height; a good one saves a second layout after measuring. */
function heightOf(task: Task | undefined): number {
  const { title = '', description, tags = [], assignees = [], dueDate, commentCount, fileCount, minutes, checklist } = task ?? {}
  const foot = assignees.length > 0 ? 34 : dueDate || commentCount || fileCount || minutes || checklist ? 28 : 0
  return (
    46 +
    (title.length > TITLE_LINE ? 20 : 0) +
    (description ? (description.length > LINE ? 38 : 20) : 0) +
    (tags.length > 0 ? 26 : 0) +
    foot
  )
}

/** Characters of a description, and of a title, in a line. */
const LINE = 60
const TITLE_LINE = 42

type Gap = ReturnType<typeof gapAt>

/** Tells where a card that is dragged over the column would land. */
function useDropTarget(list: RefObject<HTMLElement | null>, status: Status, gapOf: (y: number, dragged: unknown) => Gap) {
  const gap = useEffectEvent(gapOf)
  useEffect(() => {
    const scroller = list.current?.parentElement
    const section = scroller?.closest('section')
    if (!scroller || !section) return
    return withDragAndDrop(({ combine, dropTargetForElements, autoScrollForElements }) =>
      combine(
        dropTargetForElements({
          element: section,
          canDrop: isCard,
          getData: ({ input, source }) => {
            const top = list.current?.getBoundingClientRect().top ?? 0
            const { place, line } = gap(input.clientY - top, source.data.taskId)
            return { status, line, ...place }
          },
        }),
        autoScrollForElements({ element: scroller, canScroll: isCard }),
      ),
    )
  }, [list, status])
}
