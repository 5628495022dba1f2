import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useAnnounceViewing } from '../../boards/page/Presence'
import type { Board } from '../../boards/schema'
import { STATUSES, type Status } from '../../tasks/limits'
import { timersByTask } from '../../tasks/page/CardContents'
import { Column } from '../../tasks/page/Column'
import { type Move, move as moveTask } from '../../tasks/page/cache'
import { useCardDrops, useFilesOnCards } from '../../tasks/page/cardDrag'
import { tagsOf } from '../../tasks/page/display'
import { FilterBar } from '../../tasks/page/FilterBar'
import { NewTaskDialog, useNewTaskSchema } from '../../tasks/page/NewTask'
import { useQuickAdd } from '../../tasks/page/QuickAdd'
import { RemoteMoves } from '../../tasks/page/RemoteMoves'
import { MoversContext, NO_MOVERS } from '../../tasks/page/TaskCard'
import { TaskMenuContext, useTaskMenu } from '../../tasks/page/TaskMenu'
import { useFilter } from '../../tasks/page/useFilter'
import { BOARD_ID, columnKeys, MovesContext, useKeyboardMove } from '../../tasks/page/useKeyboardMove'
import { useSelection } from '../../tasks/page/useSelection'
import type { BoardTask, RunningTimer, Task } from '../../tasks/schema'
import { TimerTogglesContext, useTimerToggles } from '../../time/page/useTimerToggles'
import { useKeys } from '../../web/keyboard'
import { lazyComponent } from '../../web/lazyComponent'
import { stableKey, storedId } from '../../web/live/temporaryIds'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { whenIdle } from '../../web/scheduling'
import { Calendar } from '../../web/ui/DayInput'
import { EmptyBoard } from './BoardSkeleton'
import { TaskContents, TaskDialog, useOpenTask } from './TaskDialog'

type Props = { boardId: number; board: Board; tasks: BoardTask[]; timers: RunningTimer[]; locked: boolean }

const SelectionBar = lazyComponent(() => import('../../tasks/page/SelectionBar').then((module) => module.SelectionBar))
const TitleOnCard = lazyComponent(() => import('../../tasks/page/TitleOnCard').then((module) => module.TitleOnCard))

const NONE: BoardTask[] = []
const NO_KEYS: ReadonlySet<number> = new Set()
const NOBODY: Board['members'] = []

export function Columns({ boardId, board, tasks, timers, locked }: Props) {
  const [creating, setCreating] = useState<Status | null>(null)
  useEffect(loadDialogs, [])
  const { openTask, open, close } = useOpenTask(boardId, tasks)
  useAnnounceViewing(boardId, openTask?.id ?? null)
  const move = (given: Move) => submitWithUndo(boardId, moveTask, given)
  // Deferred: filters over 5,000 tasks take a while, and the cards come first.
  const later = useDeferredValue(tasks, NONE)
  const members = useDeferredValue(board.members, NOBODY)
  const tags = useMemo(() => tagsOf(later), [later])
  const { shown, shows, ...filter } = useFilter(boardId, tasks, board.members)
  const selection = useSelection(shown)
  const [titled, setTitled] = useState<Task | null>(null)
  const lifted = useKeyboardMove({ tasks: shown, locked, selection, open, move })
  // Deferred, so that the columns render in slices: a drop changes two of them, too much for one frame.
  const listed = useDeferredValue(lifted.tasks)
  useCardDrops({ tasks: shown, listed, move })
  // Earlier, the card would get the focus in its old place.
  const request = listed === lifted.tasks ? lifted.request : null
  const followMoved = useEffectEvent(lifted.followMoved)
  useEffect(() => followMoved(), [listed])
  const columns = useMemo(() => Map.groupBy(listed, ({ status }) => status), [listed])
  const running = useMemo(() => timersByTask(timers, board.members), [timers, board.members])
  const section = useRef<HTMLElement>(null)
  useFilesOnCards(section, boardId, locked)
  const [movers, name] = useState(NO_MOVERS)
  const timing = useTimerToggles(locked, lifted.focus)
  const onCard = (act: (task: Task) => void) => () => {
    const task = lifted.current()
    if (task) act(task)
  }
  const showAll = (task: Task) => {
    filter.clear()
    // Cards never take the focus from a field, but here the user asked for it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    lifted.focus(storedId(task.id))
  }
  const line = useQuickAdd({ board, columns: section, shows, onDetails: setCreating, onShow: showAll })
  const menu = useTaskMenu(board, lifted.tasks, locked)
  const moveToEnd = (status: Status) =>
    onCard((task) => {
      if (task.status !== status) lifted.moveTo(task, status, lifted.tasks.filter((other) => other.status === status).length)
    })
  const titledTask = titled && lifted.tasks.find(({ id }) => id === storedId(titled.id))
  const actsOnOneCard = !locked && lifted.taskId === null && selection.tasks.length === 0
  useKeys({
    t: onCard(timing.toggle),
    ...(!locked && {
      c: () => line.open('todo'),
      'Shift+c': () => setCreating('todo'),
      d: onCard(({ id }) => menu.openPart(id, 'Due date')),
      e: onCard(setTitled),
      x: onCard(lifted.select),
    }),
    // The selection bar handles these keys then.
    ...(actsOnOneCard && {
      a: onCard(({ id }) => menu.openPart(id, 'Assign')),
      m: onCard(({ id }) => menu.openPart(id, 'Move')),
      ...columnKeys(moveToEnd),
    }),
  })
  return (
    <MovesContext value={lifted}>
      {tasks.length > 0 || filter.active ? (
        <FilterBar {...filter} members={members} tags={tags} shown={shown.length} all={tasks.length} />
      ) : (
        <EmptyBoard locked={locked} />
      )}
      <section
        {...lifted.handlers}
        onKeyDown={(event) => menu.onKeyDown(event) || lifted.handlers.onKeyDown(event)}
        onContextMenu={menu.onContextMenu}
        ref={section}
        id={BOARD_ID}
        tabIndex={-1}
        aria-label="Columns"
        className="flex min-h-0 flex-1 short:h-full short:flex-none snap-x snap-mandatory gap-2 overflow-x-auto overscroll-x-none px-4 pb-4 min-[46rem]:grid min-[46rem]:grid-cols-3 min-[46rem]:overflow-visible md:gap-3 md:px-6"
      >
        <MoversContext value={movers}>
          <TaskMenuContext value={menu.open}>
            <TimerTogglesContext value={timing.given}>
              {STATUSES.map((status) => (
                <Column
                  key={status}
                  status={status}
                  tasks={columns.get(status) ?? NONE}
                  timers={running}
                  empty={filter.active ? 'No tasks match the filter' : 'No tasks in this column'}
                  lifted={lifted.taskId}
                  selected={locked ? NO_KEYS : selection.keys}
                  request={request}
                  onFocused={lifted.focused}
                  locked={locked}
                  line={!locked && line.lineOf(status)}
                  onAdd={line.open}
                  onDetails={setCreating}
                />
              ))}
            </TimerTogglesContext>
          </TaskMenuContext>
        </MoversContext>
        <TimerTogglesContext value={timing.given}>{menu.menu}</TimerTogglesContext>
      </section>
      {!locked && selection.tasks.length > 0 && (
        <SelectionBar
          board={board}
          tasks={selection.tasks}
          timers={timers}
          isLifting={lifted.taskId !== null}
          current={lifted.current}
          onFocus={lifted.focus}
          onClear={selection.clear}
          fallback={null}
          onLost={selection.clear}
        />
      )}
      {!locked && titledTask && (
        <TitleOnCard
          key={titledTask.id}
          boardId={boardId}
          task={titledTask}
          onClose={() => setTitled(null)}
          onFocus={lifted.focus}
          fallback={null}
          onLost={() => setTitled(null)}
        />
      )}
      {menu.calendar}
      <p role="status" aria-live="assertive" className="sr-only">
        {lifted.spoken}
      </p>
      <NewTaskDialog
        boardId={boardId}
        status={creating}
        onClose={() => setCreating(null)}
        onCreated={(task) => {
          const isShown = shows(task)
          if (isShown) lifted.focus(task.id)
          return isShown
        }}
        onShow={showAll}
      />
      {/* After the columns: their effects place the cards. */}
      <RemoteMoves board={section} tasks={listed} members={board.members} onName={name} />
      {timing.form}
      {openTask && (
        <TaskDialog
          key={stableKey('task', openTask.id)}
          board={board}
          task={openTask}
          locked={locked}
          onClose={close}
          onMove={(status) => lifted.focus(openTask.id, status)}
        />
      )}
    </MovesContext>
  )
}

const loadDialogs = () =>
  void whenIdle(() => {
    for (const part of [TaskContents, useNewTaskSchema, Calendar, SelectionBar, TitleOnCard]) part.load().catch(() => {})
  })
