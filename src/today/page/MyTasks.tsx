import { useState } from 'react'
import type { BoardListItem } from '../../boards/schema'
import { useKnownTimers } from '../../time/timers/page/useTimers'
import type { Timer } from '../../time/timers/schema'
import type { Today } from '../schema'
import { isDoneOn, useDay } from './day'
import { TaskRow } from './TaskRow'
import { GroupFrame, GroupsFrame, groupsOf, MORE, NoTasks, SHOWN, type TaskGroup } from './taskGroups'

type Props = { today: Today; boards: BoardListItem[] }

export function MyTasks({ today, boards }: Props) {
  const day = useDay()
  const known = useKnownTimers()
  const timers = known && new Map(known.map((timer) => [timer.taskId, timer]))
  const byId = new Map(boards.map((board) => [board.id, board]))
  const tasks = today.tasks.filter((task) => byId.has(task.boardId) && (task.status !== 'done' || isDoneOn(task, day)))
  if (tasks.length === 0) return <NoTasks />
  return (
    <GroupsFrame more={today.more}>
      {groupsOf(tasks, day).map((one) => (
        <TasksOfGroup key={one.group} {...one} day={day} boards={byId} timers={timers} />
      ))}
    </GroupsFrame>
  )
}

type GroupProps = TaskGroup & {
  day: string
  boards: Map<number, BoardListItem>
  timers: Map<number, Timer> | undefined
}

function TasksOfGroup({ group, tasks, day, boards, timers }: GroupProps) {
  const [all, setAll] = useState(false)
  const shown = all ? tasks : tasks.slice(0, SHOWN[group])
  const hidden = tasks.length - shown.length
  const more = hidden > 0 && (
    <button type="button" onClick={() => setAll(true)} className={MORE}>
      Show {hidden} more
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
        />
      ))}
    </GroupFrame>
  )
}
