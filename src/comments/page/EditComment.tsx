import { useRef } from 'react'
import type { UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Field } from '../../web/ui/Field'
import { FOCUSED_AT_END } from '../../web/ui/focusedAtEnd'
import { typedIn, useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type Comment, newComment } from '../schema'
import { CommentArea } from './CommentArea'

type Props = { comment: Comment; members: UserSummary[]; onClose(): void; onSave(content: string): Promise<unknown> }

const draftName = (commentId: number) => `comment-edit-${commentId}`

export const isBeingEdited = ({ id }: Comment): boolean => typedIn(draftName(id), 'content') !== undefined

/** Edits a comment in place. The text stays as a draft until it is stored. */
export function EditComment({ comment, members, onClose, onSave }: Props) {
  const draft = useDraft(draftName(comment.id), { content: comment.content })
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
