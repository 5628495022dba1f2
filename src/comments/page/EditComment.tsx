import { useRef } from 'react'
import type { UserSummary } from '../../users/schema'
import { fieldErrors } from '../../web/fieldErrors'
import { Button } from '../../web/ui/Button'
import { Field } from '../../web/ui/Field'
import { typedIn, useDraft } from '../../web/useDraft'
import { type Comment, newComment } from '../schema'
import { CommentArea } from './CommentArea'

type Props = { comment: Comment; members: UserSummary[]; onClose(): void; onSave(content: string): Promise<unknown> }

const draftName = (commentId: number) => `comment-edit-${commentId}`

export const isBeingEdited = ({ id }: Comment): boolean => typedIn(draftName(id)).content !== undefined

/** Edits a comment in place. The text stays as a draft until it is stored. */
export function EditComment({ comment, members, onClose, onSave }: Props) {
  const { typed, type, discard } = useDraft<'content'>(draftName(comment.id), { content: comment.content })
  const area = useRef<HTMLTextAreaElement>(null)
  const value = typed.content ?? comment.content
  const content = value.trim()
  const errors = fieldErrors<'content'>(newComment, { content: value }, true)

  const cancel = () => {
    discard()
    onClose()
  }
  const save = () => {
    if (errors.content) return
    if (content === comment.content) return cancel()
    void onSave(content).then((answer) => answer && discard())
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
            autoFocus
            members={members}
            value={value}
            onValue={(text) => type({ content: text })}
            onSubmit={save}
            onFocus={({ target }) => {
              target.setSelectionRange(target.value.length, target.value.length)
              target.form?.scrollIntoView({ block: 'nearest' })
            }}
            onKeyDown={(event) => event.key === 'Escape' && cancel()}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" look="primary" disabled={!!errors.content}>
          Save
        </Button>
      </div>
    </form>
  )
}
