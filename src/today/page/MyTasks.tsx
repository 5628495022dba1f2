import { Link } from '@tanstack/react-router'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { memo, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { mayChangeTimerWhileLocked } from '../../access'
import type { BoardListItem } from '../../boards/schema'
import { dayAt } from '../../days'
import { numberText } from '../../format'
import { startTimer, switchTimer } from '../../time/page/cache'
import { inOrder } from '../../time/page/reducers'
import { useKnownTimers } from '../../time/page/timersCache'
import type { Timer } from '../../time/schema'
import { useViewer } from '../../users/page/viewer'
import { useDay } from '../../web/clock'
import { Button } from '../../web/ui/Button'
import type { Group } from '../groups'
import type { OwnTask, Today } from '../schema'
import { useMoveOwnTask } from './cache'
import {
  GroupFrame,
  GroupsFrame,
  groupsOf,
  MORE_LOOK,
  NoTasks,
  NoTimer,
  Ring,
  SHOWN_AT_FIRST,
  type TaskGroup,
  TaskLine,
  TICK_LOOK,
  titleLook,
} from './TaskList'

const HELD_MS = 2_000
const NONE: ReadonlyMap<number, OwnTask> = new Map()

type Props = { today: Today; boards: BoardListItem[] }

export function MyTasks({ today, boards }: Props) {
  const day = useDay()
  const { placedAs, hold, handlers } = useHeldPlaces()
  const known = useKnownTimers()
  // If a task has several, the running one.
  const timers =
    known &&
    new Map(
      inOrder(known)
        .toReversed()
        .map((timer) => [timer.taskId, timer]),
    )
  const byId = new Map(boards.map((board) => [board.id, board]))
  const tasks = today.tasks.filter((task) => byId.has(task.boardId) && (task.status !== 'done' || isDoneOn(task, day)))
  if (tasks.length === 0) return <NoTasks />
  return (
    <GroupsFrame more={today.more} {...handlers}>
      {groupsOf(tasks, day, placedAs).map((one) => (
        <TasksOfGroup key={one.group} {...one} onTick={hold} boards={byId} timers={timers} />
      ))}
    </GroupsFrame>
  )
}

type GroupProps = TaskGroup & {
  boards: Map<number, BoardListItem>
  timers: Map<number, Timer> | undefined
  onTick(task: OwnTask): void
}

/** Groups whose tasks all show, for as long as the page is open. */
const opened = new Set<Group>()

function TasksOfGroup({ group, tasks, folds: foldsNow, boards, timers, onTick }: GroupProps) {
  const [folds] = useState(foldsNow)
  const [all, setAll] = useState(opened.has(group))
  const shown = all ? tasks : tasks.slice(0, folds ? 0 : SHOWN_AT_FIRST)
  const hidden = tasks.length - shown.length
  const toggle = () => {
    if (!opened.delete(group)) opened.add(group)
    setAll(!all)
  }
  const showAll = () => {
    flushSync(toggle)
    // The button is gone: keyboard users continue at the first task it revealed.
    document.getElementById(tickId(tasks[shown.length]))?.focus({ preventScroll: true })
  }
  const more = !folds && hidden > 0 && (
    <button type="button" data-ignore-second-press onClick={showAll} className={MORE_LOOK}>
      Show {numberText(hidden)} more
    </button>
  )
  return (
    <GroupFrame group={group} tasks={tasks} folds={folds} open={all} onFold={toggle} below={more}>
      {shown.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          group={group}
          board={boards.get(task.boardId)}
          timer={timers?.get(task.id)}
          timed={timers !== undefined}
          onTick={onTick}
        />
      ))}
    </GroupFrame>
  )
}

/** A ticked task keeps its place for a while, or while the mouse is over the tasks: a second click would hit the next one. */
function useHeldPlaces() {
  const [held, setHeld] = useState(NONE)
  const isPointed = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = useCallback(() => {
    const focused = document.activeElement
    const row = focused?.closest('li')
    const beside = row?.nextElementSibling ?? row?.previousElementSibling
    // A row that moves loses the focus.
    flushSync(() => setHeld(NONE))
    if (!focused?.id) return
    const next = document.getElementById(focused.id) ?? beside?.querySelector<HTMLElement>('button')
    next?.focus({ preventScroll: true })
  }, [])
  const hold = useCallback(
    (task: OwnTask) => {
      setHeld((held) => (held.has(task.id) ? held : new Map([...held, [task.id, task]])))
      clearTimeout(timer.current)
      if (!isPointed.current) timer.current = setTimeout(release, HELD_MS)
    },
    [release],
  )
  useEffect(() => () => clearTimeout(timer.current), [])
  const handlers = {
    onPointerEnter({ pointerType }: PointerEvent) {
      isPointed.current = pointerType === 'mouse'
    },
    onPointerLeave() {
      isPointed.current = false
      if (held.size > 0) release()
    },
  }
  return { placedAs: (task: OwnTask) => held.get(task.id) ?? task, hold, handlers }
}

type TaskRowProps = {
  task: OwnTask
  group: Group
  board: BoardListItem | undefined
  timer: Timer | undefined
  timed: boolean
  onTick(task: OwnTask): void
}

const TaskRow = memo(function TaskRow({ task, group, board, timer, timed, onTick }: TaskRowProps) {
  const locked = board?.locked ?? false
  return (
    <TaskLine
      task={task}
      group={group}
      board={board}
      viewerId={useViewer().id}
      tick={<Tick task={task} locked={locked} onTick={onTick} />}
      title={
        <Link
          to="/board/$boardId"
          params={{ boardId: task.boardId }}
          search={{ task: task.id, openTaskDetail: true }}
          dir="auto"
          title={task.title}
          className={titleLook(task)}
        >
          {task.title}
        </Link>
      }
      timer={task.status === 'done' || !timed ? <NoTimer /> : <TimerToggle task={task} timer={timer} locked={locked} />}
    />
  )
})

const tickId = (task: OwnTask | undefined) => `tick-${task?.id}`

function Tick({ task, locked, onTick }: { task: OwnTask; locked: boolean } & Pick<TaskRowProps, 'onTick'>) {
  const { run } = useMoveOwnTask(task.boardId)
  const done = task.status === 'done'
  const tick = () => {
    onTick(task)
    void run({ task, place: { status: done ? 'todo' : 'done' } })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a checkbox of the browser shows cannot be drawn
    <button
      type="button"
      role="checkbox"
      id={tickId(task)}
      aria-checked={done}
      aria-label={`Done: ${task.title}`}
      disabled={locked}
      title={locked ? 'This board is read-only for you' : undefined}
      onClick={tick}
      className={`${TICK_LOOK} disabled:cursor-not-allowed disabled:opacity-50 ${done ? '' : 'text-transparent enabled:hover:text-quiet enabled:hover:[&>span]:before:hidden'}`}
    >
      <Ring status={task.status} />
    </button>
  )
}

type TimerToggleProps = { task: OwnTask; timer: Timer | undefined; locked: boolean }

function TimerToggle({ task, timer, locked }: TimerToggleProps) {
  const running = timer?.status === 'ACTIVE'
  const next = running ? 'PAUSED' : 'ACTIVE'
  if (locked && !(timer && mayChangeTimerWhileLocked(timer, next, []))) return <NoTimer />
  const does = running ? 'Pause' : timer ? 'Resume' : 'Start'
  const Icon = running ? Pause : Play
  return (
    <Button
      look="quiet"
      size="icon"
      title={`${does} timer`}
      aria-label={`${does} timer: ${task.title}`}
      onClick={() => void (timer ? switchTimer(timer, next) : startTimer(task))}
      className={`-mr-overhang ${running ? 'text-text' : ''}`}
    >
      <Icon className="size-3.5" aria-hidden />
    </Button>
  )
}

const isDoneOn = ({ doneAt }: Pick<OwnTask, 'doneAt'>, day: string): boolean => doneAt !== null && dayAt(new Date(doneAt)) === day
