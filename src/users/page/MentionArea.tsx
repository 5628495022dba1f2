import * as Popover from 'radix-ui/popover'
import { type ComponentProps, type KeyboardEvent, type RefObject, useId } from 'react'
import { TextArea } from '../../web/ui/Field'
import { displayName, type UserSummary } from '../schema'
import { Avatar } from './Avatar'
import { useMention } from './useMention'

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  area: RefObject<HTMLTextAreaElement | null>
  value: string
  onValue(text: string): void
  members: UserSummary[]
  /** What one does with a member: "mention". */
  does: string
}

/** @ offers the members. */
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
          onBlur={mention.dismiss}
          onKeyDown={keyDown}
          aria-autocomplete="list"
          aria-controls={open ? id : undefined}
          aria-activedescendant={open ? `${id}-${offered[chosen]?.id}` : undefined}
          {...rest}
        />
      </Popover.Anchor>
      <p role="status" className="sr-only">
        {open && `${offered.length} ${offered.length === 1 ? 'member' : 'members'} to ${does}: arrow keys choose, Enter takes`}
      </p>
      <Popover.Portal>
        <Popover.Content
          role="region"
          aria-label="Mentions"
          align="start"
          sideOffset={4}
          collisionPadding={12}
          // The field decides what Escape closes.
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
