import { useState } from 'react'
import { Avatar } from '../../users/page/Avatar'
import { useFound } from '../../users/page/useFound'
import { displayName, type UserSummary } from '../../users/schema'
import { Popover, PopoverPanel } from '../../web/ui/Popover'

type Props = {
  label: string
  others: Readonly<Record<string, string>>
  members: UserSummary[]
  value: string
  onChoose(value: string): void
}

/** As a select, for so many members that one looks for a name; `others` are choices besides them. */
export function AssigneeChoice({ label, others, members, value, onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const chosen = members.find(({ id }) => String(id) === value)
  const choose = (next: string) => {
    onChoose(next)
    setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${chosen ? displayName(chosen) : others[value]}`}
          className="h-9 w-full truncate rounded-card bg-surface px-3 text-left ring-1 ring-edge ring-inset"
        >
          <span dir="auto">{chosen ? displayName(chosen) : others[value]}</span>
        </button>
      }
    >
      <PopoverPanel label={label} className="z-30 w-72 gap-2 p-3">
        <Choices others={others} members={members} value={value} onChoose={choose} />
      </PopoverPanel>
    </Popover>
  )
}

function Choices({ others, members, value, onChoose }: Omit<Props, 'label'>) {
  const { found, field } = useFound(members)
  const isWhole = found.length === members.length
  const dress = 'flex w-full min-h-8 items-center gap-2 rounded-card px-2 py-1 text-left hover:bg-hover aria-pressed:bg-column'
  return (
    <>
      {field}
      <ul className="-mx-1 flex min-h-0 flex-col overflow-y-auto p-1">
        {isWhole &&
          Object.entries(others).map(([key, text]) => (
            <li key={key}>
              <button type="button" aria-pressed={value === key} className={dress} onClick={() => onChoose(key)}>
                {text}
              </button>
            </li>
          ))}
        {found.map((user) => (
          <li key={user.id}>
            <button
              type="button"
              aria-pressed={value === String(user.id)}
              className={dress}
              onClick={() => onChoose(String(user.id))}
            >
              <Avatar user={user} />
              <span dir="auto" className="min-w-0 truncate">
                {displayName(user)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
