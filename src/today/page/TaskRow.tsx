import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { BoardListItem } from '../../boards/schema'
import type { Timer } from '../../time/schema'
import type { OwnTask } from '../schema'
import { useMoveOwnTask } from './moves'
import { NoTimer, Ring, TaskLine, TICK, titleLook } from './TaskLine'
import { TimerToggle } from './TimerToggle'

type Props = {
  task: OwnTask
  day: string
  board: BoardListItem | undefined
  timer: Timer | undefined
  timed: boolean
  onTick(task: OwnTask): void
}

export const TaskRow = memo(function TaskRow({ task, day, board, timer, timed, onTick }: Props) {
  const locked = board?.locked ?? false
  return (
    <TaskLine
      task={task}
      day={day}
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

function Tick({ task, locked, onTick }: { task: OwnTask; locked: boolean } & Pick<Props, 'onTick'>) {
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
      id={`tick-${task.id}`}
      aria-checked={done}
      aria-label={`Done: ${task.title}`}
      disabled={locked}
      title={locked ? 'This board is read-only for you' : undefined}
      onClick={tick}
      className={`${TICK} disabled:cursor-not-allowed disabled:opacity-50 ${done ? '' : 'text-transparent enabled:hover:text-quiet'}`}
    >
      <Ring status={task.status} />
    </button>
  )
}
