import { useRef } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { Board } from '../../boards/schema'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Field } from '../../web/ui/Field'
import { useLock } from '../../web/useCooldown'
import { typedIn, useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type Comment, newComment, REPEATED_WITHIN } from '../schema'
import { CommentArea } from './CommentArea'
import { ALREADY_SENT, newCommentDraft, useAddComment } from './cache'
import { Typists } from './Typists'
import { useOwnTyping } from './useTyping'

/** After a send, in milliseconds: a second press of the key sends nothing twice. */
const BLOCKED_FOR = 1_500

/** When a text was sent to a task, by both: the same is not sent again soon. */
const sentAt = new Map<string, number>()

type Props = { board: Board; taskId: number; comments: Comment[]; onSent(): void }

/** The field for a new comment. What is in it stays, also as a draft, until the server has it. */
export function NewComment({ board, taskId, comments, onSent }: Props) {
  const viewer = useViewer()
  const name = newCommentDraft(taskId)
  const { values, errors, type, discard } = useForm(useDraft(name, { content: '' }), { schema: newComment, early: 'too long' })
  const addition = useAddComment(board.id)
  const typing = useOwnTyping(taskId, board.id)
  const block = useLock(BLOCKED_FOR)
  const area = useRef<HTMLTextAreaElement>(null)
  const content = values.content.trim()

  const send = async () => {
    if (!content || errors.content || block.closed || addition.isPending) return
    const key = `${taskId} ${content}`
    const isThere = comments.some((comment) => comment.userId === viewer.id && comment.content === content)
    if (isThere && performance.now() - (sentAt.get(key) ?? -REPEATED_WITHIN) < REPEATED_WITHIN) {
      toast({ variant: 'destructive', ...ALREADY_SENT })
      return
    }
    block.close()
    typing.stop()
    sentAt.set(key, performance.now())
    if (!(await addition.run({ taskId, content }))) {
      sentAt.delete(key)
      return
    }
    // Where the dialog was closed and opened again meanwhile, something else may be there.
    if (typedIn(name, 'content')?.trim() === content) discard()
    onSent()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        area.current?.focus()
        void send()
      }}
      className="flex flex-col gap-2"
    >
      <Field label="New comment" unlabelled error={errors.content}>
        {(tied) => (
          <CommentArea
            {...tied}
            area={area}
            members={board.members}
            placeholder="Write a comment. @ mentions a member."
            readOnly={addition.isPending}
            value={values.content}
            onValue={(text) => {
              type({ content: text })
              typing.typed()
            }}
            onSubmit={() => void send()}
          />
        )}
      </Field>
      <div className="flex items-center gap-3">
        <Typists taskId={taskId} />
        <Button
          type="submit"
          look="primary"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          busy={addition.isPending}
          disabled={!content || !!errors.content || block.closed}
        >
          Send
        </Button>
      </div>
    </form>
  )
}
