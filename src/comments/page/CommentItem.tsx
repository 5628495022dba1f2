import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Checkbox } from '../../checklist'
import { Avatar } from '../../users/page/Avatar'
import { PersonLink } from '../../users/page/People'
import { displayName, type UserSummary } from '../../users/schema'
import { isTemporary } from '../../web/live/aliases'
import type { Comment } from '../schema'
import { Ago } from './Ago'
import { CommentText } from './CommentText'
import { EditComment } from './EditComment'

type Props = {
  comment: Comment
  members: UserSummary[]
  imported: boolean
  linked: boolean
  changeable: boolean
  editing: boolean
  /** For a moment after a change nothing else can be begun. */
  locked: boolean
  onEdit(editing: boolean): void
  onSave(content: string): Promise<unknown>
  onTick(box: Checkbox): void
  onDelete(): void
}

export function CommentItem({ comment, members, imported, linked, changeable, editing, locked, ...on }: Props) {
  const { onEdit, onSave, onTick, onDelete } = on
  const pencil = useRef<HTMLButtonElement>(null)
  const { user } = comment
  const isUnsent = isTemporary(comment.id)
  const close = () => {
    flushSync(() => onEdit(false))
    pencil.current?.focus()
  }
  return (
    <li
      ref={linked ? showLinked : undefined}
      className={`item flex gap-3 ${linked ? '-mx-1 rounded-card bg-column p-1' : ''}`}
      {...(linked && { 'aria-current': true })}
    >
      {/* The name is a link as well: one stop for Tab is enough. */}
      <PersonLink user={user} tabIndex={-1} aria-hidden className="mt-0.5 shrink-0 self-start rounded-full">
        <Avatar user={user} size="md" />
      </PersonLink>
      <div
        className={`flex min-w-0 flex-1 flex-col gap-0.5 ${isUnsent ? 'border-edge border-l-2 border-dashed pl-3 text-quiet' : ''}`}
      >
        <div className="flex min-h-6 items-start gap-2">
          <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
            <PersonLink user={user} dir="auto" className="min-w-0 truncate font-strong [a&]:hover:underline">
              {displayName(user)}
            </PersonLink>
            <span className="text-quiet text-small">
              {isUnsent ? 'Not sent yet' : <Ago at={comment.createdAt} />}
              {imported && ' · imported'}
            </span>
          </p>
          {changeable && !editing && (
            <p className="flex shrink-0 gap-1 opacity-0 transition-opacity pointed:opacity-100 pointer-coarse:opacity-100">
              <Action label="Edit comment" area={pencil} locked={locked} onClick={() => onEdit(true)}>
                <Pencil className="size-3.5" aria-hidden />
              </Action>
              <Action label="Delete comment" locked={locked} onClick={onDelete}>
                <Trash2 className="size-3.5" aria-hidden />
              </Action>
            </p>
          )}
        </div>
        {editing ? (
          <EditComment comment={comment} members={members} onClose={close} onSave={onSave} />
        ) : (
          <CommentText content={comment.content} members={members} onTick={changeable ? onTick : undefined} />
        )}
      </div>
    </li>
  )
}

const showLinked = (item: HTMLElement | null) => item?.scrollIntoView({ block: 'center' })

type ActionProps = {
  label: string
  area?: React.RefObject<HTMLButtonElement | null>
  locked: boolean
  onClick(): void
  children: ReactNode
}

// Not disabled during the cooldown, for it would lose the focus.
const Action = ({ label, area, locked, onClick, children }: ActionProps) => (
  <button
    ref={area}
    type="button"
    aria-label={label}
    aria-disabled={locked || undefined}
    onClick={() => !locked && onClick()}
    className="grid size-6 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text focus-visible:-outline-offset-2 aria-disabled:opacity-50"
  >
    {children}
  </button>
)
