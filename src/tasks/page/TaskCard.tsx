import { memo, useDeferredValue, useEffect, useRef, useState } from 'react'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import type { Task } from '../schema'
import { CARD, CardContents, STRIPS } from './CardContents'
import { CardEdge } from './CardEdge'
import { CardMenu } from './CardMenu'
import { CardTimerButton } from './CardTimerButton'
import { type CardTimer, timerText } from './CardTimers'
import { cardName } from './display'
import { cardData } from './useCardDrops'

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
        className={`${CARD} ${STRIPS[task.status]} transition-[opacity,transform] duration-150 hover:[box-shadow:var(--shadow-hover)] focus-visible:outline-offset-0 ${dragging ? 'opacity-40' : ''} ${lifted ? 'relative z-10 -rotate-1 shadow-lifted' : ''}`}
      >
        <CardContents task={task} timers={timers} />
      </div>
      {!locked && !dragging && <CardMenu task={task} inTabOrder={inTabOrder} />}
      {!dragging && <CardTimerButton task={task} inTabOrder={inTabOrder} />}
      <CardEdge taskId={task.id} />
    </>
  )
})

const NONE: CardTimer[] = []

/** Makes the card draggable; returns whether it is being dragged. */
function useDraggableCard(card: React.RefObject<HTMLDivElement | null>, taskId: number, locked: boolean): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    const element = card.current
    if (!element || locked) return
    return withDragAndDrop(({ draggable, preserveOffsetOnSource, setCustomNativeDragPreview }) =>
      draggable({
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
      }),
    )
  }, [card, taskId, locked])
  // Until it lies where it was dropped, which is rendered as late as this.
  const wasDragging = useDeferredValue(dragging)
  return dragging || wasDragging
}

function tilted(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement
  const { width, height } = element.getBoundingClientRect()
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px`, transform: 'rotate(1.5deg)', opacity: '1' })
  return copy
}
