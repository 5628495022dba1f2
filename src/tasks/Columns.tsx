import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Board } from '../boards/inputs'
import { Column } from './Column'
import { useMoveTask } from './cache'
import { STATUSES, type Status, type Task } from './inputs'
import { NewTaskDialog } from './NewTaskDialog'
import { Shortcuts } from './Shortcuts'
import { TaskDialog } from './TaskDialog'
import { useBoardKeys } from './useBoardKeys'
import { useCardDrops } from './useCardDrops'
import { useLiftedCard } from './useLiftedCard'

type Props = { boardId: number; board: Board; tasks: Task[]; locked: boolean }

/** The three columns, what moves between them, and the dialogs that open from them. */
export function Columns({ boardId, board, tasks, locked }: Props) {
  const [listing, setListing] = useState(false)
  const [creating, setCreating] = useState<Status | null>(null)
  const { openTask, open, close } = useOpenTask(boardId, tasks)
  const move = useMoveTask(boardId)
  useCardDrops({ tasks, move: move.run })
  const lifted = useLiftedCard({ tasks, locked, open, move: move.run })
  useBoardKeys({ '?': () => setListing(true), ...(!locked && { c: () => setCreating('todo') }) })
  return (
    <>
      <div
        {...lifted.handlers}
        className="flex min-h-0 flex-1 snap-x snap-mandatory gap-3 overflow-x-auto px-4 pb-4 sm:px-6 md:grid md:grid-cols-3 md:overflow-visible"
      >
        {STATUSES.map((status) => (
          <Column
            key={status}
            status={status}
            tasks={lifted.tasks.filter((task) => task.status === status)}
            lifted={lifted.taskId}
            request={lifted.request}
            onFocused={lifted.focused}
            locked={locked}
            onAdd={setCreating}
          />
        ))}
      </div>
      <p role="status" aria-live="assertive" className="sr-only">
        {lifted.spoken}
      </p>
      <NewTaskDialog boardId={boardId} status={creating} onClose={() => setCreating(null)} onCreated={lifted.focus} />
      <Shortcuts open={listing} onClose={() => setListing(false)} />
      {openTask && <TaskDialog key={openTask.id} board={board} task={openTask} locked={locked} onClose={close} />}
    </>
  )
}

/** The task whose dialog is open: the address names it, so that it can be linked and Back closes it. */
function useOpenTask(boardId: number, tasks: Task[]) {
  const navigate = useNavigate()
  const hash = useLocation({ select: (location) => location.hash })
  const openId = Number(/^task-(\d+)$/.exec(hash)?.[1])
  const at = { to: '/board/$boardId', params: { boardId }, resetScroll: false } as const
  const open = (task: Task) => void navigate({ ...at, hash: `task-${task.id}` })
  const close = () => void navigate({ ...at, hash: '', replace: true })
  return { openTask: tasks.find((task) => task.id === openId), open, close }
}
