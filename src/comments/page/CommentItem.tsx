import { useNavigate } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { type ComponentProps, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Checkbox } from '../../checklist'
import { dateTimeText } from '../../format'
import { mentionsIn } from '../../users/mentions'
import { Avatar } from '../../users/page/Avatar'
import { PersonLink } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { addCheckbox, ChecklistButton } from '../../web/checklistEditing'
import { isTemporary } from '../../web/live/temporaryIds'
import { Button, SmallIconButton } from '../../web/ui/Button'
import { Field, FOCUSED_AT_END } from '../../web/ui/Field'
import { Markdown } from '../../web/ui/Markdown'
import { typedIn, useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type Comment, newComment } from '../schema'
import { Ago } from './Ago'
import { editDraft } from './cache'
import { CommentArea } from './NewComment'

type Props = {
  comment: Comment
  members: UserSummary[]
  imported: boolean
  linked: boolean
  /** Shown without its author and time, which are those of the one above. */
  isContinuation: boolean
  changeable: boolean
  editing: boolean
  /** For a moment after a change no other can begin. */
  cooling: boolean
  onEdit(editing: boolean): void
  onSave(content: string): Promise<unknown>
  onTick(box: Checkbox): void
  onDelete(): void
}

export function CommentItem({ comment, members, imported, linked, isContinuation, changeable, editing, cooling, ...on }: Props) {
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
      className={`item relative flex gap-3 ${linked ? '-mx-1 rounded-card bg-column p-1' : ''} ${isContinuation ? '-mt-2' : ''}`}
      {...(linked && { 'aria-current': true })}
      {...(isContinuation && { title: dateTimeText(comment.createdAt) })}
    >
      {isContinuation ? (
        <span className="w-8 shrink-0" />
      ) : (
        // The name is a link too: one stop for Tab is enough.
        <PersonLink user={user} tabIndex={-1} aria-hidden className="mt-0.5 shrink-0 self-start rounded-full">
          <Avatar user={user} size="md" />
        </PersonLink>
      )}
      <div
        className={`flex min-w-0 flex-1 flex-col gap-0.5 ${isUnsent ? 'border-edge border-l-2 border-dashed pl-3 text-quiet' : ''}`}
      >
        {isContinuation && !isUnsent ? (
          <span className="sr-only">
            {displayName(user)} <Ago at={comment.createdAt} />
          </span>
        ) : (
          <p className="flex min-h-6 flex-wrap items-baseline gap-x-2 pr-14">
            {!isContinuation && (
              <PersonLink user={user} dir="auto" className="min-w-0 truncate font-strong [a&]:hover:underline">
                {displayName(user)}
              </PersonLink>
            )}
            <span className="text-quiet text-small">
              {isUnsent ? 'Not sent yet' : <Ago at={comment.createdAt} />}
              {imported && ' · imported'}
            </span>
          </p>
        )}
        {changeable && !editing && (
          <p className="absolute top-0 right-0 flex gap-1 rounded-card bg-raised opacity-0 transition-opacity pointed:opacity-100 pointer-coarse:opacity-100">
            <Action icon={Pencil} label="Edit comment" ref={pencil} off={cooling} onClick={() => onEdit(true)} />
            <Action icon={Trash2} label="Delete comment" off={cooling} onClick={onDelete} />
          </p>
        )}
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

type ActionProps = ComponentProps<typeof SmallIconButton> & { off: boolean; onClick(): void }

// Disabling during the cooldown would drop the focus.
const Action = ({ off, onClick, ...rest }: ActionProps) => (
  <SmallIconButton
    aria-disabled={off || undefined}
    onClick={() => !off && onClick()}
    className="rounded-card hover:bg-hover focus-visible:-outline-offset-2 aria-disabled:opacity-50"
    {...rest}
  />
)

type CommentTextProps = { content: string; members: UserSummary[]; onTick: ((box: Checkbox) => void) | undefined }

function CommentText({ content, members, onTick }: CommentTextProps) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const mentions = useMemo(() => {
    const known = new Set(members.map(({ username }) => username))
    return (text: string) => mentionsIn(text, (name) => known.has(name))
  }, [members])
  return (
    <Markdown
      text={content}
      mentions={mentions}
      reader={viewer.username}
      onMention={(username) => void navigate({ to: '/$username', params: { username } })}
      onTick={onTick}
    />
  )
}

type EditCommentProps = { comment: Comment; members: UserSummary[]; onClose(): void; onSave(content: string): Promise<unknown> }

export const isBeingEdited = ({ id }: Comment): boolean => typedIn(editDraft(id), 'content') !== undefined

/** The text stays as a draft until it is stored. */
function EditComment({ comment, members, onClose, onSave }: EditCommentProps) {
  const draft = useDraft(editDraft(comment.id), { content: comment.content })
  const { values, errors, type, discard } = useForm(draft, { schema: newComment, early: 'all' })
  const area = useRef<HTMLTextAreaElement>(null)
  const content = values.content.trim()

  const cancel = () => {
    discard()
    onClose()
  }
  const save = () => {
    if (errors.content) return
    if (content === comment.content) return cancel()
    void onSave(content).then((answer) => answer && discard(values))
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      data-own-escape
      className="flex flex-col gap-2 pt-1"
    >
      <Field label="Edit comment" unlabelled error={errors.content}>
        {(tied) => (
          <CommentArea
            {...tied}
            area={area}
            {...FOCUSED_AT_END}
            members={members}
            value={values.content}
            onValue={(text) => type({ content: text })}
            onSubmit={save}
            onFocus={(event) => {
              FOCUSED_AT_END.onFocus(event)
              event.target.form?.scrollIntoView({ block: 'nearest' })
            }}
            onKeyDown={(event) => event.key === 'Escape' && cancel()}
          />
        )}
      </Field>
      <div className="flex items-center justify-end gap-2">
        <ChecklistButton onClick={() => addCheckbox(area.current, false)} />
        <Button size="small" className="ml-auto" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" look="primary" disabled={!!errors.content}>
          Save
        </Button>
      </div>
    </form>
  )
}
