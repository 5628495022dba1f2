import { useRef } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { Board } from '../../boards/schema'
import { displayName } from '../../users/schema'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Field } from '../../web/ui/Field'
import { useCooldown } from '../../web/useCooldown'
import { typedIn, useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type Comment, DUPLICATE_WINDOW, newComment } from '../schema'
import { CommentArea } from './CommentArea'
import { ALREADY_SENT, newCommentDraft, useAddComment } from './cache'
import { useOwnTyping, useTypists } from './useTyping'

const SEND_COOLDOWN = 1_500

/** When each text was sent to each task: the same text is not sent again soon. */
const sentAt = new Map<string, number>()

type Props = { board: Board; taskId: number; comments: Comment[]; onSent(): void }

export function NewComment({ board, taskId, comments, onSent }: Props) {
  const viewer = useViewer()
  const name = newCommentDraft(taskId)
  const { values, errors, type, discard } = useForm(useDraft(name, { content: '' }), { schema: newComment, early: 'too long' })
  const addition = useAddComment(board.id)
  const typing = useOwnTyping(taskId, board.id)
  const cooldown = useCooldown(SEND_COOLDOWN)
  const area = useRef<HTMLTextAreaElement>(null)
  const content = values.content.trim()

  const send = async () => {
    if (!content || errors.content || cooldown.active || addition.isPending) return
    const key = `${taskId} ${content}`
    const isThere = comments.some((comment) => comment.userId === viewer.id && comment.content === content)
    if (isThere && performance.now() - (sentAt.get(key) ?? -DUPLICATE_WINDOW) < DUPLICATE_WINDOW) {
      toast({ variant: 'destructive', ...ALREADY_SENT })
      return
    }
    cooldown.start()
    typing.stop()
    sentAt.set(key, performance.now())
    if (!(await addition.run({ taskId, content }))) {
      sentAt.delete(key)
      return
    }
    // The dialog may have been closed and opened again with another text.
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
            placeholder="Write a comment. Markdown works, @ mentions a member."
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
          disabled={!content || !!errors.content || cooldown.active}
        >
          Send
        </Button>
      </div>
    </form>
  )
}

/** Always of the same height, so that nothing moves. */
function Typists({ taskId }: { taskId: number }) {
  const typists = useTypists(taskId)
  const [first] = typists
  return (
    <p role="status" className="min-w-0 flex-1 truncate text-quiet text-small">
      {first && (typists.length === 1 ? <bdi>{displayName(first)} is typing</bdi> : `${typists.length} people are typing`)}
    </p>
  )
}
