import { ListFilter, Search, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, memo, type Ref, useState } from 'react'
import { numberText } from '../../basics'
import { SEARCHED_ABOVE } from '../../users/basics'
import { Avatar } from '../../users/page/Avatar'
import { usePeopleSearch } from '../../users/page/People'
import { displayName, type UserSummary } from '../../users/schema'
import { sameProps } from '../../web/sameProps'
import { Button } from '../../web/ui/Button'
import { Input, Select } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { DESCRIPTION_PREVIEW } from '../basics'
import { DUES, type Filter } from './address'

type Props = {
  ref: Ref<HTMLInputElement>
  filter: Filter
  active: boolean
  members: UserSummary[]
  tags: string[]
  shown: number
  all: number
  change(part: Partial<Filter>): void
  clear(): void
}

const BESIDES_MEMBERS = { '': 'Anyone', me: 'Me', none: 'No one assigned' }

/** On a phone the selects beside the text are folded away. */
export const FilterBar = memo(function FilterBar(props: Props) {
  const { ref, filter, active, members, tags, shown, all, change, clear } = props
  const [open, setOpen] = useState(false)
  const isMine = filter.assignee === 'me'
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return
    if (filter.text) change({ text: '' })
    else event.currentTarget.blur()
  }
  return (
    <search className="dense flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-6">
      <div className="relative min-w-0 flex-1 sm:max-w-64">
        <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-quiet" aria-hidden />
        <Input
          ref={ref}
          className="h-9! pl-9 max-sm:h-11!"
          aria-label="Filter tasks by text"
          placeholder="Filter tasks"
          title={`Looks at titles, tags and the first ${DESCRIPTION_PREVIEW} characters of descriptions`}
          enterKeyHint="search"
          value={filter.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </div>
      <Button
        look={isMine ? 'primary' : 'plain'}
        className="max-sm:h-11!"
        aria-pressed={isMine}
        onClick={() => change({ assignee: isMine ? '' : 'me' })}
      >
        Mine
      </Button>
      <Button size="small" look="quiet" className="h-11! sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ListFilter className="size-4" aria-hidden />
        Filters
      </Button>
      <div className={`flex flex-wrap gap-2 max-sm:w-full max-sm:grid-cols-2 ${open ? 'max-sm:grid' : 'max-sm:hidden'}`}>
        {/* As wide without the names and tags as with them. */}
        <span className="flex h-9 max-sm:col-span-2 sm:w-48">
          {members.length > SEARCHED_ABOVE ? (
            <AssigneeChoice
              label="Assignee"
              others={BESIDES_MEMBERS}
              members={members}
              value={filter.assignee}
              onChoose={(assignee) => change({ assignee })}
            />
          ) : (
            <Choice
              label="Assignee"
              className="w-full"
              value={filter.assignee}
              onChange={(event) => change({ assignee: event.target.value })}
            >
              {[...Object.entries(BESIDES_MEMBERS), ...members.map((user) => [user.id, displayName(user)] as const)].map(
                ([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ),
              )}
            </Choice>
          )}
        </span>
        <Choice label="Tag" className="sm:w-40" value={filter.tag} onChange={(event) => change({ tag: event.target.value })}>
          <option value="">Any tag</option>
          {tags.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </Choice>
        <Choice
          label="Due date"
          value={filter.due}
          onChange={(event) =>
            change({ due: (Object.keys(DUES) as Filter['due'][]).find((due) => due === event.target.value) ?? '' })
          }
        >
          <option value="">Any due date</option>
          {Object.entries(DUES).map(([due, label]) => (
            <option key={due} value={due}>
              {label}
            </option>
          ))}
        </Choice>
      </div>
      {active && (
        <Button size="small" look="quiet" onClick={clear}>
          <X className="size-4" aria-hidden />
          Clear
        </Button>
      )}
      <p role="status" className="tabular text-quiet text-small">
        {active && `${numberText(shown)} of ${numberText(all)} tasks`}
      </p>
    </search>
  )
}, sameProps)

const Choice = ({ label, className = '', ...rest }: { label: string } & ComponentProps<typeof Select>) => (
  <Select aria-label={label} className={`[&>select]:h-9 ${className}`} {...rest} />
)

type AssigneeChoiceProps = {
  label: string
  others: Readonly<Record<string, string>>
  members: UserSummary[]
  value: string
  onChoose(value: string): void
}

/** A select with a search, for boards with many members; `others` are the other choices. */
function AssigneeChoice({ label, others, members, value, onChoose }: AssigneeChoiceProps) {
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

function Choices({ others, members, value, onChoose }: Omit<AssigneeChoiceProps, 'label'>) {
  const { found, field } = usePeopleSearch(members)
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
