import UserPlus from 'lucide-react/icons/user-plus'
import X from 'lucide-react/icons/x'
import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { Button, SmallIconButton } from '../../web/ui/Button'
import { DayInput } from '../../web/ui/DayInput'
import { Input, Select } from '../../web/ui/Field'
import { STATUS_LABELS, STATUSES, type Status, TAG_MAX, TAGS_MAX } from '../limits'
import { STATUS_COLORS } from './display'

type PropertyProps = { label: string; question?: ReactNode; children(id: string): ReactNode }

/** Controls beside their labels, so that many fit on screen. */
export const PROPERTY = 'grid grid-cols-[6.25rem_minmax(0,1fr)] gap-x-2'
export const PROPERTY_LABEL = 'flex min-h-field items-center self-start text-quiet text-body'

export function Property({ label, question, children }: PropertyProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <div className={PROPERTY}>
        <label htmlFor={id} className={PROPERTY_LABEL}>
          {label}
        </label>
        {children(id)}
      </div>
      {question}
    </div>
  )
}

type Props = Omit<ComponentProps<typeof Select>, 'value' | 'onChange' | 'className'> & {
  value: Status
  onChange(status: Status): void
}

export const StatusSelect = ({ value, onChange, ...rest }: Props) => (
  <span className="relative flex">
    <Select
      value={value}
      onChange={(event) => onChange(STATUSES.find((status) => status === event.target.value) ?? 'todo')}
      options={Object.entries(STATUS_LABELS)}
      {...rest}
      className="w-full [&>select]:pl-8"
    />
    <span
      aria-hidden
      className={`pointer-events-none absolute top-1/2 left-3 size-2 -translate-y-1/2 rounded-full ${STATUS_COLORS[value]}`}
    />
  </span>
)

type DueInputProps = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  due: string | null
  disabled?: boolean
  onChange(due: string | null): void
}

export function DueInput({ due, disabled = false, onChange, ...tied }: DueInputProps) {
  const [removals, setRemovals] = useState(0)
  const remove = () => {
    setRemovals(removals + 1)
    onChange(null)
  }
  return (
    <DayInput
      // Removing the day also removes a half-typed one.
      key={removals}
      {...tied}
      disabled={disabled}
      day={due ?? ''}
      onDay={(day) => onChange(day || null)}
      aside={
        due !== null && (
          <SmallIconButton
            icon={X}
            label="Remove the due date"
            onClick={remove}
            className="rounded-chip hover:bg-hover pointer-coarse:size-control"
          />
        )
      }
    />
  )
}

type TagInputProps = {
  id: string
  tags: string[]
  /** The board's other tags, as suggestions. */
  known: string[]
  disabled?: boolean
  /** Also called with half-typed text when the field is removed. */
  addsOnLeave?: boolean
  onChange(tags: string[]): void
}

/** Enter, a comma or leaving the field adds a tag; Backspace in the empty field removes the last. */
export function TagInput({ id, tags, known, disabled = false, addsOnLeave = false, onChange }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const full = tags.length >= TAGS_MAX

  const add = (text: string) => {
    setTyped('')
    const next = withTags(tags, text)
    if (next.length > tags.length) onChange(next)
  }
  const addTyped = useEffectEvent(() => add(typed))
  // A field removed with its dialog fires no blur.
  useEffect(() => (addsOnLeave ? () => addTyped() : undefined), [addsOnLeave])
  const remove = (tag: string) => {
    onChange(tags.filter((other) => other !== tag))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
    if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return
    event.preventDefault()
    add(typed)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = typed + event.clipboardData.getData('text')
    // A tag that is too long stays in the field to be shortened.
    if (!/[,\n]/.test(text) || partsOf(text).some((tag) => tag.length > TAG_MAX)) return
    event.preventDefault()
    add(text)
  }
  return (
    <div className="flex flex-col gap-2">
      {tags.length > 0 && (
        // The first line is centred in a field's height, like the label beside it.
        <ul className="flex flex-wrap gap-1 pt-1 pointer-coarse:gap-y-3 pointer-coarse:py-1.5" aria-label="Tags">
          {tags.map((tag) => (
            <li
              key={tag}
              className="flex max-w-full items-center gap-0.5 rounded-chip bg-hover pl-2 pointer-coarse:min-h-7 forced-colors:outline forced-colors:-outline-offset-1"
            >
              <span dir="auto" className="min-w-0 break-words text-small">
                {tag}
              </span>
              <SmallIconButton
                icon={X}
                label={`Remove the tag ${tag}`}
                disabled={disabled}
                onClick={() => remove(tag)}
                className="rounded-chip disabled:hidden pointer-coarse:-my-1.5 pointer-coarse:-mr-2 pointer-coarse:size-control"
              />
            </li>
          ))}
        </ul>
      )}
      <Input
        id={id}
        ref={input}
        list={list}
        value={typed}
        maxLength={TAG_MAX}
        disabled={disabled || full}
        placeholder={full ? `At most ${TAGS_MAX}` : 'Add a tag'}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(typed)}
      />
      <datalist id={list}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  )
}

const partsOf = (text: string) =>
  text
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter(Boolean)

const withTags = (tags: string[], text: string) => [...new Set([...tags, ...partsOf(text)])].slice(0, TAGS_MAX)

type AssigneeInputProps = {
  id: string
  members: UserSummary[]
  assignees: UserSummary[]
  disabled?: boolean
  onChange(assignees: UserSummary[]): void
}

export function AssigneeInput({ id, members, assignees, disabled = false, onChange }: AssigneeInputProps) {
  const viewer = useViewer()
  const others = members.filter((member) => !assignees.includes(member))
  const self = others.find((member) => member.id === viewer.id)
  const add = (user: UserSummary | undefined) => user && onChange([...assignees, user])
  return (
    <div className="flex flex-col gap-2">
      {assignees.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Assignees">
          {assignees.map((user) => (
            <li
              key={user.id}
              className="flex min-w-0 items-center gap-2 rounded-full bg-column py-1 pr-1.5 pl-1 forced-colors:outline forced-colors:-outline-offset-1"
            >
              <Avatar user={user} />
              <span dir="auto" className="min-w-0 truncate">
                {displayName(user)}
              </span>
              <SmallIconButton
                icon={X}
                label={`Remove ${displayName(user)}`}
                disabled={disabled}
                onClick={() => onChange(assignees.filter((other) => other !== user))}
                className="rounded-full hover:bg-hover"
              />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {self && (
          <Button disabled={disabled} onClick={() => add(self)}>
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
          options={others.map((user) => [user.id, displayName(user)])}
        >
          <option value="" disabled>
            {others.length > 0 ? 'Assign a member' : 'All members'}
          </option>
        </Select>
      </div>
    </div>
  )
}
