import Check from 'lucide-react/icons/check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Play from 'lucide-react/icons/play'
import Square from 'lucide-react/icons/square'
import { createContext, memo, use, useRef } from 'react'
import { useUsersInTask } from '../../boards/page/Presence'
import { useTimerOf } from '../../time/page/useTimerToggles'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { hasDragAndDrop } from '../../web/withDragAndDrop'
import type { Task } from '../schema'
import { CARD, CardContents, type CardTimer, STATUS_STRIPS } from './CardContents'
import { useDraggableCard } from './cardDrag'
import { TaskMenuContext } from './TaskMenu'

type Props = {
  task: Task
  timers: CardTimer[] | undefined
  lifted: boolean
  selected: boolean
  /** While any card is, none has buttons. */
  selecting: boolean
  locked: boolean
  inTabOrder: boolean
  onFocus(taskId: number): void
}

// A plain shadow: Tailwind's sets variables, each of which would restyle the whole card when it changes.
export const TaskCard = memo(function TaskCard({
  task,
  timers = NONE,
  lifted,
  selected,
  selecting,
  locked,
  inTabOrder,
  onFocus,
}: Props) {
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
        aria-pressed={lifted || selected || undefined}
        onFocus={() => onFocus(task.id)}
        className={`${CARD} ${STATUS_STRIPS[task.status]} task-card hover:[box-shadow:var(--shadow-hover)] ${lifted ? 'relative z-10 -rotate-1 shadow-lifted' : ''} ${selected ? 'selected' : ''}`}
      >
        <CardContents
          task={task}
          timers={timers}
          titleLook={selected ? UNDER_CHECK : locked || selecting || lifted ? '' : UNDER_BUTTONS}
        />
      </div>
      {!locked && !selecting && <CardMenu task={task} inTabOrder={inTabOrder} />}
      {!selecting && <CardTimerButton task={task} inTabOrder={inTabOrder} locked={locked} />}
      {selected && (
        <span className="pointer-events-none absolute top-3.5 right-3 grid size-5 place-items-center rounded-full bg-text text-inverse">
          <Check className="size-3.5" aria-hidden />
        </span>
      )}
      <CardEdge taskId={task.id} />
    </>
  )
})

const NONE: CardTimer[] = []
const UNDER_BUTTONS = 'not-pointer-coarse:pointed:under-buttons'
const UNDER_CHECK = 'not-pointer-coarse:pr-6'

type CardMenuProps = { task: Task; inTabOrder: boolean }

// Transparent colour, not opacity: opacity would make each card a layer that slows down scrolling.
/** Also moves the card, for users who cannot drag (WCAG 2.5.7). */
function CardMenu({ task, inTabOrder }: CardMenuProps) {
  const open = use(TaskMenuContext)
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={`Menu for ${task.title}`}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={({ currentTarget }) => open(task.id, currentTarget)}
      className="absolute top-3 right-2 grid size-6 place-items-center rounded-card text-transparent pointed:bg-surface pointed:text-quiet pointer-coarse:top-0.5 pointer-coarse:right-0 pointer-coarse:size-icon pointer-coarse:bg-transparent! pointer-coarse:text-quiet hover:bg-hover hover:text-text"
    >
      <Ellipsis className="size-4" aria-hidden />
    </button>
  )
}

/** On touch screens it is in the menu, if there is one. */
function CardTimerButton({ task, inTabOrder, locked }: CardMenuProps & { locked: boolean }) {
  const { isRunning, isOffered, toggle } = useTimerOf(task)
  if (!isOffered) return null
  const Icon = isRunning ? Square : Play
  return (
    <button
      type="button"
      tabIndex={inTabOrder ? 0 : -1}
      aria-label={`${isRunning ? 'Stop' : 'Start'} the timer on ${task.title}`}
      data-ignore-second-press
      onClick={toggle}
      className={`absolute top-3 right-9 grid size-6 place-items-center rounded-card text-transparent pointed:bg-surface pointed:text-quiet hover:bg-hover hover:text-text ${locked ? 'pointer-coarse:top-0.5 pointer-coarse:right-0 pointer-coarse:size-icon pointer-coarse:text-quiet' : 'pointer-coarse:hidden'}`}
    >
      <Icon className="size-3.5" aria-hidden />
    </button>
  )
}

export type Movers = ReadonlyMap<number, UserSummary>
export const NO_MOVERS: Movers = new Map()
export const MoversContext = createContext(NO_MOVERS)

const FACES = 3

/** Who moved the card and who has its task open, on its upper edge, where nothing shifts. */
function CardEdge({ taskId }: { taskId: number }) {
  const mover = use(MoversContext).get(taskId)
  const people = useUsersInTask(taskId)
  if (!mover && people.length === 0) return null
  return (
    <span className="pointer-events-none absolute -top-1.5 right-17 flex h-5 items-center gap-1.5" aria-hidden>
      {mover && (
        <bdi className="max-w-32 truncate rounded-card bg-text px-1.5 font-strong text-inverse text-small motion-safe:animate-named">
          {displayName(mover)}
        </bdi>
      )}
      {people.slice(0, FACES).map((user) => (
        <Avatar key={user.id} user={user} size="xs" className="border border-surface outline-2 outline-done" />
      ))}
    </span>
  )
}
