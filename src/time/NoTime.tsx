import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import type { Task } from '../tasks/inputs'
import { Button } from '../web/ui/Button'
import { Select } from '../web/ui/Select'

type Props = { boardId: number; tasks: Task[]; onLeave(): void }

/** A board on which nobody logged time: the way to a task where one can (board-page.md, section 2). */
export function NoTime({ boardId, tasks, onLeave }: Props) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState('')
  const task = Number(chosen || tasks[0]?.id)
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    onLeave()
    void navigate({ to: '/board/$boardId', params: { boardId }, search: { task, openTaskDetail: true } })
  }
  return (
    <form onSubmit={open} className="mx-auto flex w-full max-w-md flex-col items-center gap-4 py-12 text-center">
      <p className="font-strong text-title">Open a task to add time</p>
      {tasks.length > 0 ? (
        <div className="flex w-full gap-2">
          <Select
            aria-label="Task"
            className="min-w-0 flex-1"
            value={chosen}
            onChange={({ target: { value } }) => setChosen(value)}
          >
            {tasks.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
          <Button type="submit" look="primary" className="h-10">
            Open task
          </Button>
        </div>
      ) : (
        <p className="text-quiet">This board has no tasks yet.</p>
      )}
    </form>
  )
}
