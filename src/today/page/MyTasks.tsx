import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { numberText } from '../../basics'
import type { BoardListItem } from '../../boards/schema'
import { useKnownTimers } from '../../time/page/timersCache'
import type { Timer } from '../../time/schema'
import type { OwnTask, Today } from '../schema'
import { isDoneOn, useDay } from './day'
import { TaskRow } from './TaskRow'
import { GroupFrame, GroupsFrame, groupsOf, MORE, NoTasks, SHOWN, type TaskGroup } from './taskGroups'

const HELD_MS = 2_000
const NONE: ReadonlyMap<number, OwnTask> = new Map()

type Props = { today: Today; boards: BoardListItem[] }

export function MyTasks({ today, boards }: Props) {
  const day = useDay()
  const { placedAs, hold, handlers } = useHeldPlaces()
  const known = useKnownTimers()
  const timers = known && new Map(known.map((timer) => [timer.taskId, timer]))
  const byId = new Map(boards.map((board) => [board.id, board]))
  const tasks = today.tasks.filter((task) => byId.has(task.boardId) && (task.status !== 'done' || isDoneOn(task, day)))
  if (tasks.length === 0) return <NoTasks />
  return (
    <GroupsFrame more={today.more} {...handlers}>
      {groupsOf(tasks, day, placedAs).map((one) => (
        <TasksOfGroup key={one.group} {...one} onTick={hold} day={day} boards={byId} timers={timers} />
      ))}
    </GroupsFrame>
  )
}

type GroupProps = TaskGroup & {
  day: string
  boards: Map<number, BoardListItem>
  timers: Map<number, Timer> | undefined
  onTick(task: OwnTask): void
}

function TasksOfGroup({ group, tasks, day, boards, timers, onTick }: GroupProps) {
  const [all, setAll] = useState(false)
  const shown = all ? tasks : tasks.slice(0, SHOWN[group])
  const hidden = tasks.length - shown.length
  const more = hidden > 0 && (
    <button type="button" onClick={() => setAll(true)} className={MORE}>
      Show {numberText(hidden)} more
    </button>
  )
  return (
    <GroupFrame group={group} tasks={tasks} below={more}>
      {shown.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          day={day}
          board={boards.get(task.boardId)}
          timer={timers?.get(task.id)}
          timed={timers !== undefined}
          onTick={onTick}
        />
      ))}
    </GroupFrame>
  )
}

/** What was just ticked keeps its place while the mouse is over the tasks, else for a while: a second click would hit the next. */
function useHeldPlaces() {
  const [held, setHeld] = useState(NONE)
  const isPointed = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = useCallback(() => {
    const focused = document.activeElement?.id
    // A row that moves loses the focus.
    flushSync(() => setHeld(NONE))
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
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
