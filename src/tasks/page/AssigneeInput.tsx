import { UserPlus, X } from 'lucide-react'
import { useViewer } from '../../auth/page/cache'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Select } from '../../web/ui/Select'

type Props = {
  id: string
  members: UserSummary[]
  assignees: UserSummary[]
  disabled?: boolean
  onChange(assignees: UserSummary[]): void
}

export function AssigneeInput({ id, members, assignees, disabled = false, onChange }: Props) {
  const viewer = useViewer()
  const others = members.filter((member) => !assignees.includes(member))
  const self = others.find((member) => member.id === viewer.id)
  const add = (user: UserSummary | undefined) => user && onChange([...assignees, user])
  return (
    <div className="flex flex-col gap-2">
      {assignees.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Assignees">
          {assignees.map((user) => (
            <li key={user.id} className="flex min-w-0 items-center gap-2 rounded-full bg-column py-1 pr-1.5 pl-1">
              <Avatar user={user} />
              <span dir="auto" className="min-w-0 truncate">
                {displayName(user)}
              </span>
              <button
                type="button"
                disabled={disabled}
                aria-label={`Leave out ${displayName(user)}`}
                onClick={() => onChange(assignees.filter((other) => other !== user))}
                className="grid size-6 shrink-0 place-items-center rounded-full text-quiet hover:bg-hover hover:text-text"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {self && (
          <Button disabled={disabled} onClick={() => add(self)} className="h-10">
            <UserPlus className="size-4" aria-hidden />
            Assign to me
          </Button>
        )}
        <Select
          id={id}
          className="min-w-40 flex-1"
          disabled={disabled || others.length === 0}
          value=""
          onChange={(event) => add(others.find((member) => String(member.id) === event.target.value))}
        >
          <option value="">{others.length > 0 ? 'Assign a member' : 'All members'}</option>
          {others.map((user) => (
            <option key={user.id} value={user.id}>
              {displayName(user)}
            </option>
          ))}
        </Select>
      </div>
    </div>
  )
}
