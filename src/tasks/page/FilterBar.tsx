import ChevronDown from 'lucide-react/icons/chevron-down'
import ListFilter from 'lucide-react/icons/list-filter'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, memo, type RefObject, useRef, useState } from 'react'
import { numberText } from '../../format'
import { SEARCHED_ABOVE } from '../../users/limits'
import { Avatar } from '../../users/page/Avatar'
import { usePeopleSearch } from '../../users/page/People'
import { displayName, type UserSummary } from '../../users/schema'
import { useKeys } from '../../web/keyboard'
import { isByFinger, wasPressed } from '../../web/pointer'
import { sameProps } from '../../web/sameProps'
import { Button } from '../../web/ui/Button'
import { Input, Select } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { useMedia } from '../../web/useMedia'
import { DESCRIPTION_PREVIEW } from '../limits'
import { FILTER_BAR } from './display'
import { DUES, dueNamed, type Filter } from './taskUrl'

type Props = {
  filter: Filter
  active: boolean
  members: UserSummary[]
  tags: string[]
  shown: number
  all: number
  change(part: Partial<Filter>): void
  clear(): void
}

const BESIDES_MEMBERS: Readonly<Record<string, string>> = { '': 'Anyone', me: 'Me', none: 'No one assigned' }

/** On narrower pages they fold into one button. */
const UNFOLDED = '(min-width: 51.25rem) and (not (max-height: 32rem))'

export const FilterBar = memo(function FilterBar(props: Props) {
  const { active, shown, all } = props
  const field = useRef<HTMLInputElement>(null)
  const isUnfolded = useMedia(UNFOLDED)
  const clear = () => {
    props.clear()
    // The button is removed then.
    if (!wasPressed()) field.current?.focus()
  }
  const count = `${numberText(shown)} of ${numberText(all)} tasks`
  return (
    <search className={`dense-header flex flex-wrap items-center gap-2 ${FILTER_BAR}`}>
      {isUnfolded ? (
        <>
          <Unfolded {...props} field={field} />
          {active && <Clear onClick={clear} brief />}
        </>
      ) : (
        <span className="-mr-overhang">
          <Folded {...props} field={field} clear={clear} count={count} />
        </span>
      )}
      {/* Hidden where it would wrap and push the cards down. */}
      <p role="status" className="tabular text-quiet text-small max-xl:sr-only">
        {active && count}
      </p>
    </search>
  )
}, sameProps)

type FiltersProps = Props & { field: RefObject<HTMLInputElement | null> }

function Unfolded(props: FiltersProps) {
  useKeys({ '/': () => props.field.current?.focus() })
  return <Filters {...props} />
}

function Folded({ count, ...props }: FiltersProps & { count: string }) {
  const [open, setOpen] = useState(false)
  useKeys({ '/': () => setOpen(true) })
  const { filter, active, clear } = props
  const chosen = Object.values(filter).filter(Boolean).length
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button look="quiet" size="icon" title="Filters" className="relative">
          <ListFilter className="size-4" aria-hidden />
          <span className="sr-only">Filters</span>
          {chosen > 0 && (
            <span className="absolute top-0 right-0 grid size-4 place-items-center rounded-full bg-text text-inverse text-tiny pointer-coarse:top-1.5 pointer-coarse:right-1.5">
              {chosen}
              <span className="sr-only"> active</span>
            </span>
          )}
        </Button>
      }
    >
      <PopoverPanel
        label="Filters"
        align="end"
        onOpenAutoFocus={keepKeyboardDown}
        className="z-30 w-80 max-sm:w-[calc(100vw-2rem)] gap-3 p-4 short:grid short:w-120 short:grid-cols-2"
      >
        <Filters {...props} />
        {active && (
          <div className="col-span-full flex items-center justify-between gap-2">
            <p className="tabular text-quiet text-small">{count}</p>
            <Clear onClick={clear} />
          </div>
        )}
      </PopoverPanel>
    </Popover>
  )
}

/** On a phone, a field with the focus would bring up the keyboard. */
function keepKeyboardDown(event: Event) {
  if (!isByFinger() || !(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.focus()
}

const Clear = ({ brief = false, onClick }: { brief?: boolean; onClick(): void }) => (
  <Button size="small" look="quiet" title="Clear" onClick={onClick}>
    <X className="size-4" aria-hidden />
    <span className={brief ? 'max-xl:sr-only' : ''}>Clear</span>
  </Button>
)

/** Quiet until something is chosen; when folded, as in forms. */
const QUIET =
  'unfolded:*:bg-transparent unfolded:*:font-normal unfolded:*:text-quiet unfolded:*:not-focus:ring-0 unfolded:*:hover:bg-hover'
const SET = 'unfolded:*:bg-hover unfolded:*:font-strong unfolded:*:not-focus:ring-0'
const lookOf = (isSet: unknown) => `unfolded:max-w-38 unfolded:*:field-sizing-content ${isSet ? SET : QUIET}`

function Filters({ field, filter, members, tags, change }: FiltersProps) {
  const isMine = filter.assignee === 'me'
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // In a panel, Escape has closed it.
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (filter.text) change({ text: '' })
    else event.currentTarget.blur()
  }
  return (
    <>
      <div className="relative unfolded:w-64 unfolded:min-w-36 unfolded:shrink">
        <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-quiet" aria-hidden />
        <Input
          ref={field}
          className="pl-9"
          aria-label="Filter tasks by text"
          placeholder="Filter tasks"
          title={`Searches titles, tags and the first ${DESCRIPTION_PREVIEW} characters of descriptions`}
          enterKeyHint="search"
          value={filter.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </div>
      <span className={`grid ${lookOf(isMine)}`}>
        <Button
          className="aria-pressed:bg-hover aria-pressed:ring-text"
          aria-pressed={isMine}
          onClick={() => change({ assignee: isMine ? '' : 'me' })}
        >
          Mine
        </Button>
      </span>
      {members.length > SEARCHED_ABOVE ? (
        <span className={`flex ${lookOf(filter.assignee)}`}>
          <AssigneeChoice members={members} value={filter.assignee} onChoose={(assignee) => change({ assignee })} />
        </span>
      ) : (
        <Select
          aria-label="Assignee"
          className={lookOf(filter.assignee)}
          value={filter.assignee}
          onChange={(event) => change({ assignee: event.target.value })}
          options={[...Object.entries(BESIDES_MEMBERS), ...members.map((user) => [user.id, displayName(user)] as const)]}
        />
      )}
      <Select
        aria-label="Tag"
        className={lookOf(filter.tag)}
        value={filter.tag}
        onChange={(event) => change({ tag: event.target.value })}
        options={[['', 'Any tag'], ...tags.map((tag) => [tag, tag] as const)]}
      />
      <Select
        aria-label="Due date"
        className={lookOf(filter.due)}
        value={filter.due}
        onChange={(event) => change({ due: dueNamed(event.target.value) })}
        options={[['', 'Any due date'], ...Object.entries(DUES)]}
      />
    </>
  )
}

type AssigneeChoiceProps = {
  members: UserSummary[]
  value: string
  onChoose(value: string): void
}

function AssigneeChoice({ members, value, onChoose }: AssigneeChoiceProps) {
  const [open, setOpen] = useState(false)
  const chosen = members.find(({ id }) => String(id) === value)
  const shown = chosen ? displayName(chosen) : BESIDES_MEMBERS[value]
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
          aria-label={`Assignee: ${shown}`}
          className="flex h-field w-full items-center justify-between gap-2 pr-2.5 pl-3 text-left control"
        >
          <span dir="auto" className="min-w-0 truncate">
            {shown}
          </span>
          <ChevronDown className="size-4 shrink-0 text-quiet" aria-hidden />
        </button>
      }
    >
      <PopoverPanel label="Assignee" className="z-30 w-72 gap-2 p-3">
        <Choices members={members} value={value} onChoose={choose} />
      </PopoverPanel>
    </Popover>
  )
}

function Choices({ members, value, onChoose }: AssigneeChoiceProps) {
  const { found, field } = usePeopleSearch(members)
  const isWhole = found.length === members.length
  const choices = [
    ...Object.entries(isWhole ? BESIDES_MEMBERS : {}).map(([key, text]) => ({ key, text, user: undefined })),
    ...found.map((user) => ({ key: String(user.id), text: displayName(user), user })),
  ]
  return (
    <>
      {field}
      <ul className="-mx-1 flex min-h-0 flex-col overflow-y-auto p-1">
        {choices.map(({ key, text, user }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={value === key}
              className="flex min-h-control w-full items-center gap-2 rounded-card px-2 py-1 text-left hover:bg-hover aria-pressed:bg-column"
              onClick={() => onChoose(key)}
            >
              {user && <Avatar user={user} />}
              <span dir="auto" className="min-w-0 truncate">
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
