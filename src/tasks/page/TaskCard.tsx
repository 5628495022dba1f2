import { memo, useEffect, useRef } from 'react'
import { hasDragAndDrop, withDragAndDrop } from '../../web/withDragAndDrop'
import type { Task } from '../schema'
import { CARD, CardContents, STRIPS } from './CardContents'
import { CardEdge } from './CardEdge'
import { CardMenu } from './CardMenu'
import { CardTimerButton } from './CardTimerButton'
import type { CardTimer } from './CardTimers'
import { cardData, lift } from './dragLooks'

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
  useDraggableCard(card, task.id, locked)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a button cannot hold paragraphs */}
      <div
        ref={card}
        role="button"
        tabIndex={inTabOrder ? 0 : -1}
        data-task={task.id}
        draggable={hasDragAndDrop() && !locked}
        aria-pressed={lifted || undefined}
        onFocus={() => onFocus(task.id)}
        className={`${CARD} ${STRIPS[task.status]} transition-[opacity,transform] duration-150 hover:[box-shadow:var(--shadow-hover)] focus-visible:outline-offset-0 data-files:outline-2 data-files:outline-accent data-files:outline-dashed in-data-[drag=image]:rotate-[1.5deg] in-data-[drag=image]:transition-none in-data-[drag=on]:opacity-40 ${lifted ? 'relative z-10 -rotate-1 shadow-lifted' : ''}`}
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

function useDraggableCard(card: React.RefObject<HTMLDivElement | null>, taskId: number, locked: boolean): void {
  useEffect(() => {
    const element = card.current
    if (!element || locked) return
    return withDragAndDrop(({ draggable }) =>
      draggable({
        element,
        getInitialData: () => cardData(taskId),
        onGenerateDragPreview: ({ nativeSetDragImage, location }) => lift(element, location.current.input, nativeSetDragImage),
      }),
    )
  }, [card, taskId, locked])
}
