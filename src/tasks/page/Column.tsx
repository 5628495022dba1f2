import ListPlus from 'lucide-react/icons/list-plus'
import Plus from 'lucide-react/icons/plus'
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { numberText } from '../../format'
import { storedId } from '../../web/live/temporaryIds'
import { sameProps } from '../../web/sameProps'
import { IconButton } from '../../web/ui/Button'
import { STATUS_LABELS, type Status } from '../limits'
import type { Task } from '../schema'
import type { CardTimer } from './CardContents'
import { dropGapAt, useDropTarget } from './cardDrag'
import { STATUS_COLORS } from './display'
import { TaskCard } from './TaskCard'
import { useCardList } from './useCardList'
import type { FocusRequest } from './useKeyboardMove'

type Props = {
  status: Status
  tasks: Task[]
  timers: ReadonlyMap<number, CardTimer[]>
  empty: string
  lifted: number | null
  selected: ReadonlySet<number>
  request: FocusRequest | null
  onFocused(): void
  locked: boolean
  /** Replaces the button. */
  line: ReactNode
  onAdd(status: Status): void
  onDetails(status: Status): void
}

export const Column = memo(function Column(props: Props) {
  const { status, tasks, timers, empty, lifted, selected, request, onFocused, locked, line: adding, onAdd, onDetails } = props
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [focused, setCurrent] = useState<number | null>(null)
  const current = focused && storedId(focused)
  const indexOf = (taskId: number | null | undefined) => (taskId ? tasks.findIndex(({ id }) => id === taskId) : -1)
  const asked = request?.status && request.status !== status ? null : request
  const currentAt = indexOf(current)
  // One tab stop per column: the card focused last, else the first.
  const stop = (tasks[currentAt] ?? tasks[0])?.id
  const virtual = useCardList(scroller, tasks, [currentAt, indexOf(asked?.taskId)])
  const { containerRef } = virtual
  const setList = useCallback(
    (element: HTMLUListElement | null) => {
      list.current = element
      containerRef(element)
    },
    [containerRef],
  )
  useRestingPointer(list)
  useDropTarget(list, status, (y, dragged) => dropGapAt(tasks, virtual.getVirtualItems(), y, dragged))
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
      className="isolate flex min-h-0 w-[88%] shrink-0 snap-center flex-col rounded-panel bg-column transition-colors duration-150 data-over:bg-hover min-[46rem]:w-auto min-[46rem]:shrink"
    >
      <h2 className="fade-below flex items-center gap-2 px-5 pt-3 font-strong">
        <span className={`size-2 rounded-full ${STATUS_COLORS[status]}`} />
        {STATUS_LABELS[status]}
        <span className="tabular font-normal text-quiet">{numberText(tasks.length)}</span>
      </h2>
      {/* As high as its cards: Add Task comes after the last one, or at the foot of a full column. */}
      <div ref={scroller} className="min-h-0 overflow-y-auto overflow-x-hidden overscroll-x-none px-2 pt-2">
        <ul
          ref={setList}
          className="relative data-moving:after:absolute data-moving:after:inset-0 data-moving:after:z-20"
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
                >
                  <TaskCard
                    task={task}
                    timers={timers.get(task.id)}
                    lifted={lifted === task.id}
                    selected={selected.has(Number(item.key))}
                    selecting={selected.size > 0}
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
        {tasks.length === 0 && <p className="mt-1 px-3 text-quiet">{empty}</p>}
      </div>
      {adding}
      {!locked && !adding && (
        <div className="fade-above flex items-center gap-1 p-2 pt-1">
          <button
            type="button"
            data-add={status}
            onClick={() => onAdd(status)}
            className="flex min-h-icon flex-1 items-center gap-1.5 rounded-card px-3 text-quiet hover:bg-hover hover:text-text"
          >
            <Plus className="size-4" aria-hidden />
            Add Task
          </button>
          <IconButton icon={ListPlus} label="Create New Task" onClick={() => onDetails(status)} />
        </div>
      )}
    </section>
  )
}, sameProps)

/** Focuses a card reached by keyboard, moved or created, but never takes the focus from a field. */
function useFocusRequest(
  request: FocusRequest | null,
  tasks: Task[],
  onFocused: () => void,
  reveal: (index: number) => HTMLElement | null,
) {
  const index = request ? tasks.findIndex(({ id }) => id === request.taskId) : -1
  const scroller = useRef<HTMLElement>(null)
  const scroll = useEffectEvent(() => {
    scroller.current = reveal(index)
  })
  const focus = useEffectEvent(() => {
    const card = scroller.current?.querySelector<HTMLElement>(`[data-task="${request?.taskId}"]`)
    if (!card) return
    if (!document.activeElement?.matches('input, textarea, select')) card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    onFocused()
  })
  useEffect(() => {
    if (request && index >= 0) scroll()
  }, [request, index])
  // After each render, because a distant card is rendered only after scrolling.
  useEffect(() => {
    if (!request || index < 0) return
    const frame = requestAnimationFrame(() => focus())
    return () => cancelAnimationFrame(frame)
  })
}

/** Hover would cost a seventh of each scrolling frame. `data-moving`: the list; `data-scrolled`: its column, when scrolled. */
function useRestingPointer(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current
    const scroller = element?.parentElement
    if (!element || !scroller) return
    let frame = 0
    const column = scroller.parentElement
    const rest = () => {
      element.removeAttribute('data-moving')
      column?.toggleAttribute('data-scrolled', scroller.scrollTop > 0)
    }
    const move = () => {
      element.setAttribute('data-moving', '')
      column?.setAttribute('data-scrolled', '')
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(rest)
      })
    }
    scroller.addEventListener('scroll', move, { passive: true })
    return () => {
      scroller.removeEventListener('scroll', move)
      cancelAnimationFrame(frame)
      rest()
    }
  }, [list])
}
