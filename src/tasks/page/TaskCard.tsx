import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source'
import { Clock } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { shortDay } from '../../schema'
import { durationText } from '../../time/entries/schema'
import { Avatars } from '../../users/page/Avatar'
import type { Status, Task } from '../schema'
import { CardEdge } from './CardEdge'
import { CardMenu } from './CardMenu'
import { CardTimerButton } from './CardTimerButton'
import { type CardTimer, CardTimers, timerText } from './CardTimers'
import { cardName, commentsText, cutTitle, type Day, dueState, preview, TAGS_SHOWN } from './display'
import { cardData } from './useCardDrops'

const STRIPS: Record<Status, string> = { todo: 'strip-todo', inprogress: 'strip-inprogress', done: 'strip-done' }
/** Shorter tags need no clipping, which would slow down each frame while scrolling. */
const TAG_FITS = 8

type Props = {
  task: Task
  timers: CardTimer[] | undefined
  lifted: boolean
  locked: boolean
  inTabOrder: boolean
  onFocus(taskId: number): void
}

// A plain shadow: Tailwind's sets variables, each of which would restyle the whole card when it changes.
export const TaskCard = memo(function TaskCard({ task, timers = NONE, lifted, locked, inTabOrder, onFocus }: Props) {
  const card = useRef<HTMLDivElement>(null)
  const dragging = useDraggableCard(card, task.id, locked)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot hold paragraphs */}
      <div
        ref={card}
        role="button"
        tabIndex={inTabOrder ? 0 : -1}
        data-task={task.id}
        aria-label={cardName(task, ...timers.map(timerText))}
        aria-pressed={lifted || undefined}
        onFocus={() => onFocus(task.id)}
        className={`rounded-card bg-surface ${STRIPS[task.status]} px-3 pt-3.5 pb-3 shadow-card transition-[opacity,transform] duration-150 hover:[box-shadow:var(--shadow-hover)] focus-visible:outline-offset-0 ${dragging ? 'opacity-40' : ''} ${lifted ? 'relative z-10 -rotate-1 shadow-lifted' : ''}`}
      >
        <CardContents task={task} timers={timers} />
      </div>
      {!locked && <CardMenu task={task} inTabOrder={inTabOrder} />}
      <CardTimerButton task={task} inTabOrder={inTabOrder} />
      <CardEdge taskId={task.id} />
    </>
  )
})

const NONE: CardTimer[] = []

function CardContents({ task, timers }: { task: Task; timers: CardTimer[] }) {
  const more = task.tags.length - TAGS_SHOWN
  const hasFoot = task.assignees.length > 0 || task.dueDate || task.commentCount > 0 || task.minutes > 0 || timers.length > 0
  const title = cutTitle(task.title)
  return (
    <>
      <p
        dir="auto"
        className="break-words font-strong pointer-coarse:pr-13"
        title={title === task.title ? undefined : task.title}
      >
        {title}
      </p>
      {task.description && (
        <p dir="auto" className="mt-0.5 line-clamp-2 break-words text-quiet text-small">
          {preview(task.description)}
        </p>
      )}
      {task.tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-1 text-quiet text-small">
          {task.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <span key={tag} className={`rounded-[4px] bg-column px-1.5 ${tag.length > TAG_FITS ? 'max-w-32 truncate' : ''}`}>
              {tag}
            </span>
          ))}
          {more > 0 && <span className="rounded-[4px] bg-column px-1.5">+{more}</span>}
        </p>
      )}
      {hasFoot && (
        <div className="tabular mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 whitespace-nowrap text-quiet text-small">
          <Avatars users={task.assignees} />
          <CardTimers timers={timers} assignees={task.assignees} />
          {task.dueDate && <DueDay due={task.dueDate} done={task.status === 'done'} />}
          {task.commentCount > 0 && <span>{commentsText(task.commentCount)}</span>}
          {task.minutes > 0 && (
            <span className="flex items-center gap-1">
              <Clock className="size-3.5" aria-hidden />
              {durationText(task.minutes)}
            </span>
          )}
        </div>
      )}
    </>
  )
}

const DAY_LOOK: Record<Day, string> = { past: 'font-strong text-accent', today: 'font-strong text-text', ahead: '' }

const DueDay = ({ due, done }: { due: string; done: boolean }) => (
  <time dateTime={due} className={DAY_LOOK[dueState(due, done)]}>
    {shortDay(due)}
  </time>
)

/** Makes the card draggable; returns whether it is being dragged. */
function useDraggableCard(card: React.RefObject<HTMLDivElement | null>, taskId: number, locked: boolean): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    const element = card.current
    if (!element || locked) return
    return draggable({
      element,
      getInitialData: () => cardData(taskId),
      onGenerateDragPreview: ({ nativeSetDragImage, location }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: preserveOffsetOnSource({ element, input: location.current.input }),
          render: ({ container }) => {
            container.appendChild(tilted(element))
          },
        }),
      onDragStart: () => setDragging(true),
      onDrop: () => setDragging(false),
    })
  }, [card, taskId, locked])
  return dragging
}

function tilted(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement
  const { width, height } = element.getBoundingClientRect()
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px`, transform: 'rotate(1.5deg)', opacity: '1' })
  return copy
}
