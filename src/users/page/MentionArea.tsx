import * as Popover from 'radix-ui/popover'
import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { TextArea } from '../../web/ui/Field'
import { displayName, isName, type UserSummary } from '../schema'
import { Avatar } from './Avatar'

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  area: RefObject<HTMLTextAreaElement | null>
  value: string
  onValue(text: string): void
  members: UserSummary[]
  does: string
}

export function MentionArea({ area, value, onValue, members, does, onKeyDown, onSelect, ...rest }: Props) {
  const id = useId()
  const mention = useMention(members, (textarea) => onValue(textarea.value))
  const { offered, chosen } = mention
  const open = offered.length > 0
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!mention.onKeyDown(event)) onKeyDown?.(event)
  }
  return (
    <Popover.Root open={open} onOpenChange={(next) => !next && mention.dismiss()}>
      <Popover.Anchor asChild>
        <TextArea
          ref={area}
          value={value}
          onChange={(event) => {
            onValue(event.target.value)
            mention.look(event.target)
          }}
          onSelect={(event) => {
            mention.follow(event.currentTarget)
            onSelect?.(event)
          }}
          onBlur={mention.leave}
          onKeyDown={keyDown}
          aria-autocomplete="list"
          aria-controls={open ? id : undefined}
          aria-activedescendant={open ? `${id}-${offered[chosen]?.id}` : undefined}
          {...rest}
        />
      </Popover.Anchor>
      <p role="status" className="sr-only">
        {open && `${offered.length} ${offered.length === 1 ? 'member' : 'members'} to ${does}. Arrow keys move, Enter selects.`}
      </p>
      <Popover.Portal>
        <Popover.Content
          role="region"
          aria-label="Mentions"
          align="start"
          sideOffset={4}
          collisionPadding={12}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // Keeps the cursor in the text.
          onMouseDown={(event) => event.preventDefault()}
          className="z-50 w-64 max-w-[calc(100vw-1.5rem)] rounded-card bg-raised p-1 shadow-panel"
        >
          <div id={id} role="listbox" aria-label={`Members to ${does}`}>
            {offered.map((member, nth) => (
              <Offer
                key={member.id}
                id={`${id}-${member.id}`}
                member={member}
                chosen={nth === chosen}
                onTake={() => area.current && mention.take(area.current, member)}
              />
            ))}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const Offer = ({ id, member, chosen, onTake }: { id: string; member: UserSummary; chosen: boolean; onTake(): void }) => (
  // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays where one writes, with the keys
  <div
    id={id}
    role="option"
    aria-selected={chosen}
    onClick={onTake}
    className="flex min-h-9 cursor-pointer items-center gap-2 rounded-card px-2 hover:bg-hover aria-selected:bg-hover"
  >
    <Avatar user={member} />
    <span dir="auto" className="min-w-0 truncate">
      {displayName(member)}
    </span>
    {member.name && <span className="min-w-0 truncate text-quiet text-small">@{member.username}</span>}
  </div>
)

/** A mention being typed; mentions.ts finds finished ones. */
const STARTED = /(?<![\p{L}\p{N}_/@])@([\p{L}\p{N}._-]*)$/u
const LONGEST = 40
const OFFERED = 6

type StartedMention = { from: number; typed: string }

function mentionAtCursor({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): StartedMention | null {
  if (selectionStart !== selectionEnd) return null
  const before = value.slice(Math.max(0, selectionStart - LONGEST), selectionStart)
  const found = STARTED.exec(before)
  return found ? { from: selectionStart - found[0].length, typed: (found[1] ?? '').toLowerCase() } : null
}

export const matchesMember = ({ username, name }: UserSummary, typed: string) =>
  [username, ...(name ?? '').toLowerCase().split(/\s+/)].some((word) => word.startsWith(typed))

/** Offers members after an @: arrows choose, Enter and Tab take, Escape closes. */
function useMention(members: UserSummary[], onTake: (textarea: HTMLTextAreaElement) => void) {
  const [begun, setBegun] = useState<StartedMention | null>(null)
  const [index, setIndex] = useState(0)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const open = begun && begun.from !== dismissed
  const fitting = open ? members.filter((member) => !isName(member) && matchesMember(member, begun.typed)).slice(0, OFFERED) : []
  const isWritten = fitting.length === 1 && fitting[0]?.username === begun?.typed
  const offered = isWritten ? [] : fitting
  const chosen = Math.min(index, offered.length - 1)

  const look = (textarea: HTMLTextAreaElement) => {
    const next = mentionAtCursor(textarea)
    if (next?.from !== begun?.from || next?.typed !== begun?.typed) setIndex(0)
    if (!next) setDismissed(null)
    setBegun(next)
  }
  /** After each cursor move: moving back to an @ offers nothing. */
  const follow = (textarea: HTMLTextAreaElement) => begun && look(textarea)
  const leave = () => setBegun(null)
  const dismiss = () => setDismissed(begun?.from ?? null)
  const take = (textarea: HTMLTextAreaElement, { username }: UserSummary) => {
    if (!begun) return
    textarea.setRangeText(`@${username} `, begun.from, textarea.selectionStart, 'end')
    textarea.focus()
    setBegun(null)
    onTake(textarea)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const member = offered[chosen]
    if (!member || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    const step = { ArrowDown: 1, ArrowUp: offered.length - 1 }[event.key]
    if (step) setIndex((chosen + step) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(event.currentTarget, member)
    else if (event.key === 'Escape') dismiss()
    else return false
    event.preventDefault()
    return true
  }
  return { offered, chosen, look, follow, dismiss, leave, take, onKeyDown }
}
