import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Board } from '../../boards/schema'
import { Avatar } from '../../users/page/Avatar'
import { useFound } from '../../users/page/useFound'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import type { Task } from '../schema'
import { useAssign, useUnassign } from './assigning'

export function Assignees({ board, task, locked }: { board: Board; task: Task; locked: boolean }) {
  const [managing, setManaging] = useState(false)
  const manage = useRef<HTMLButtonElement>(null)
  const assign = useAssign(board.id)
  const unassign = useUnassign(board.id)
  const others = board.members.filter((member) => !task.assignees.some(({ id }) => id === member.id))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !managing) return
    setManaging(false)
    manage.current?.focus()
  }
  return (
    <section
      aria-labelledby="assigned"
      data-own-escape={managing || undefined}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-2"
    >
      <div className="flex items-center justify-between">
        <h3 id="assigned" className="font-strong">
          Assigned users
        </h3>
        {!locked && (
          <Button ref={manage} look="quiet" size="small" aria-expanded={managing} onClick={() => setManaging(!managing)}>
            {managing ? 'Done' : 'Manage'}
          </Button>
        )}
      </div>
      {task.assignees.length === 0 && <p className="text-quiet">No one is assigned</p>}
      <ul className="flex flex-wrap gap-2">
        {task.assignees.map((user) => (
          <li key={user.id} className="flex min-w-0 items-center gap-2 rounded-full bg-surface py-1 pr-3 pl-1">
            <Avatar user={user} />
            <span dir="auto" className="min-w-0 truncate">
              {displayName(user)}
            </span>
            {managing && (
              <button
                type="button"
                aria-label={`Unassign ${displayName(user)}`}
                onClick={() => void unassign.run({ taskId: task.id, userId: user.id })}
                className="-mr-1.5 grid size-6 place-items-center rounded-full text-quiet hover:bg-hover hover:text-text"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {managing && others.length > 0 && (
        <ToAssign people={others} creator={board.createdBy} onAssign={(user) => void assign.run({ taskId: task.id, user })} />
      )}
    </section>
  )
}

type ToAssignProps = { people: UserSummary[]; creator: number | null; onAssign(user: UserSummary): void }

function ToAssign({ people, creator, onAssign }: ToAssignProps) {
  const { found, field } = useFound(people)
  return (
    <>
      {field}
      <ul className="flex max-h-48 flex-col overflow-y-auto rounded-card bg-surface p-1" aria-label="Members to assign">
        {found.map((user) => (
          <li key={user.id}>
            <AssignButton user={user} creator={user.id === creator} onAssign={() => onAssign(user)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const AssignButton = ({ user, creator, onAssign }: { user: UserSummary; creator: boolean; onAssign(): void }) => (
  <button
    type="button"
    onClick={onAssign}
    className="flex w-full items-center gap-2 rounded-card px-2 py-1.5 text-left hover:bg-hover"
  >
    <Avatar user={user} />
    <span dir="auto" className="min-w-0 flex-1 truncate">
      {displayName(user)}
    </span>
    {creator && <span className="text-quiet text-small">Creator</span>}
    <Plus className="size-4 text-quiet" aria-hidden />
  </button>
)
