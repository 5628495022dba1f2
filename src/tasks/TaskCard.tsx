import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { Clock } from 'lucide-react'
import { type CSSProperties, memo, useEffect, useRef, useState } from 'react'
import { durationText } from '../time/inputs'
import { AvatarGroup } from '../users/Avatar'
import { CardMenu } from './CardMenu'
import { cutTitle, type Day, dayOf, preview, shortDay } from './display'
import type { Status, Task } from './inputs'
import { cardData } from './useCardDrops'

const STRIPS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }
const TAGS_SHOWN = 3

type Props = {
  task: Task
  /** It is being moved by keyboard. */
  lifted: boolean
  locked: boolean
  inTabOrder: boolean
  onFocus(taskId: number): void
}

export const TaskCard = memo(function TaskCard({ task, lifted, locked, inTabOrder, onFocus }: Props) {
  const card = useRef<HTMLDivElement>(null)
  const { dragging, edge } = useDraggableCard(card, task, locked)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot hold the card's lists */}
      <div
        ref={card}
        role="button"
        tabIndex={inTabOrder ? 0 : -1}
        data-task={task.id}
        aria-labelledby={`task-${task.id}-title task-${task.id}-tags task-${task.id}-foot`}
        aria-pressed={lifted || undefined}
        onFocus={() => onFocus(task.id)}
        className={`relative overflow-hidden rounded-card bg-surface px-3 pt-3.5 pb-3 shadow-card transition-[opacity,transform] duration-150 hover:shadow-hover focus-visible:outline-offset-0 ${dragging ? 'opacity-40' : ''} ${lifted ? 'z-10 -rotate-1 shadow-lifted' : ''}`}
      >
        <span className={`absolute inset-x-0 top-0 h-[3px] ${STRIPS[task.status]}`} />
        <CardContents task={task} />
      </div>
      {!locked && <CardMenu task={task} inTabOrder={inTabOrder} />}
      {edge && <DropLine style={edge === 'top' ? { top: -5 } : { bottom: -5 }} />}
    </>
  )
})

function CardContents({ task }: { task: Task }) {
  const more = task.tags.length - TAGS_SHOWN
  const hasFoot = task.assignees.length > 0 || task.dueDate || task.commentCount > 0 || task.minutes > 0
  return (
    <>
      <p
        id={`task-${task.id}-title`}
        dir="auto"
        className="break-words font-strong pointer-coarse:pr-6"
        title={cutTitle(task.title) === task.title ? undefined : task.title}
      >
        {cutTitle(task.title)}
      </p>
      {task.description && (
        <p dir="auto" className="mt-0.5 line-clamp-2 break-words text-quiet text-small">
          {preview(task.description)}
        </p>
      )}
      {task.tags.length > 0 && (
        <ul id={`task-${task.id}-tags`} className="mt-2 flex flex-wrap gap-1 text-quiet text-small">
          {task.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <li key={tag} className="max-w-32 truncate rounded-[4px] bg-column px-1.5">
              {tag}
            </li>
          ))}
          {more > 0 && <li className="rounded-[4px] bg-column px-1.5">+{more}</li>}
        </ul>
      )}
      {hasFoot && (
        <div
          id={`task-${task.id}-foot`}
          className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 whitespace-nowrap text-quiet text-small"
        >
          <AvatarGroup users={task.assignees} />
          {task.dueDate && <DueDay due={task.dueDate} done={task.status === 'done'} />}
          {task.commentCount > 0 && (
            <span className="tabular">
              {task.commentCount} {task.commentCount === 1 ? 'comment' : 'comments'}
            </span>
          )}
          {task.minutes > 0 && (
            <span className="tabular flex items-center gap-1">
              <Clock className="size-3.5" aria-hidden />
              <span className="sr-only">Time logged:</span>
              {durationText(task.minutes)}
            </span>
          )}
        </div>
      )}
    </>
  )
}

const DAY_LOOK: Record<Day, string> = { past: 'font-strong text-accent', today: 'font-strong text-text', ahead: '' }
const DAY_WORDS: Record<Day, string> = { past: 'Overdue: ', today: 'Due today: ', ahead: 'Due: ' }

function DueDay({ due, done }: { due: string; done: boolean }) {
  const day = done ? 'ahead' : dayOf(due)
  return (
    <time dateTime={due} className={`tabular ${DAY_LOOK[day]}`}>
      <span className="sr-only">{DAY_WORDS[day]}</span>
      {shortDay(due)}
    </time>
  )
}

/** Where the card will land. */
export const DropLine = ({ style }: { style: CSSProperties }) => (
  <span className="pointer-events-none absolute inset-x-0 z-10 h-0.5 rounded-full bg-accent" style={style}>
    <span className="absolute -top-[3px] left-0 size-2 rounded-full bg-accent" />
  </span>
)

/** Makes the card one that can be dragged, and dropped on above or below. */
function useDraggableCard(card: React.RefObject<HTMLDivElement | null>, task: Task, locked: boolean) {
  const [dragging, setDragging] = useState(false)
  const [edge, setEdge] = useState<Edge | null>(null)
  const { id, status } = task
  useEffect(() => {
    const element = card.current
    if (!element || locked) return
    const own = cardData({ id, status })
    return combine(
      draggable({
        element,
        getInitialData: () => own,
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
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.kind === 'card' && source.data.taskId !== own.taskId,
        getData: ({ input }) => attachClosestEdge(own, { element, input, allowedEdges: ['top', 'bottom'] }),
        getIsSticky: () => true,
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [card, id, status, locked])
  return { dragging, edge }
}

/** The card as it follows the hand. */
function tilted(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement
  const { width, height } = element.getBoundingClientRect()
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px`, transform: 'rotate(1.5deg)', opacity: '1' })
  return copy
}
