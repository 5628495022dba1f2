import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Board } from '../../boards/schema'
import { MentionArea } from '../../users/page/MentionArea'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { addCheckbox, ChecklistButton, continueList } from '../../web/checklistEditing'
import { send, useLiveMessages } from '../../web/live/socket'
import { isTemporary } from '../../web/live/temporaryIds'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Field } from '../../web/ui/Field'
import { useCooldown } from '../../web/useCall'
import { typedIn, useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { type Comment, DUPLICATE_WINDOW, newComment } from '../schema'
import { ALREADY_SENT, newCommentDraft, useAddComment } from './cache'

const SEND_COOLDOWN = 1_500

/** When each text was sent to each task, so that the same one is not sent again soon. */
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

  const submit = async () => {
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
    // The dialog may have been reopened with another text.
    if (typedIn(name, 'content')?.trim() === content) discard()
    onSent()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        area.current?.focus()
        void submit()
      }}
      className="flex flex-col gap-2"
    >
      <Field label="New comment" unlabelled error={errors.content}>
        {(tied) => (
          <CommentArea
            {...tied}
            area={area}
            members={board.members}
            placeholder="Write a comment. Markdown works; type @ to mention someone."
            readOnly={addition.isPending}
            value={values.content}
            onValue={(text) => {
              type({ content: text })
              typing.typed()
            }}
            onSubmit={() => void submit()}
          />
        )}
      </Field>
      <div className="flex items-center gap-3">
        <Typists taskId={taskId} />
        <ChecklistButton onClick={() => addCheckbox(area.current, false)} />
        <Button
          type="submit"
          look="primary"
          size="small"
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

function Typists({ taskId }: { taskId: number }) {
  const typists = useTypists(taskId)
  const [first] = typists
  return (
    <p role="status" className="min-w-0 flex-1 truncate text-quiet text-small">
      {first && (typists.length === 1 ? <bdi>{displayName(first)} is typing</bdi> : `${typists.length} people are typing`)}
    </p>
  )
}

type CommentAreaProps = Omit<ComponentProps<typeof MentionArea>, 'does'> & { onSubmit(): void }

/** Ctrl or Cmd with Enter sends; @ offers the other members. */
export function CommentArea({ members, onSubmit, onKeyDown, ...rest }: CommentAreaProps) {
  const viewer = useViewer()
  return (
    <MentionArea
      members={members.filter((member) => member.id !== viewer.id)}
      does="mention"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          onSubmit()
        } else if (!continueList(event)) onKeyDown?.(event)
      }}
      {...rest}
    />
  )
}

const IDLE_AFTER = 5_000
const EXPIRES_AFTER = 8_000
const SWEPT_EVERY = 2_000

/** Repeated well before it expires for others. */
const SAID_EVERY = 4_000

/** Announces typing from the first letter until `stop`, a pause or unmounting. */
function useOwnTyping(taskId: number, boardId: number) {
  const own = useRef<{ saidAt: number; idle: ReturnType<typeof setTimeout> } | null>(null)
  const stop = () => {
    if (!own.current) return
    clearTimeout(own.current.idle)
    own.current = null
    if (!isTemporary(taskId)) send({ type: 'typing_stopped', payload: { taskId, boardId } })
  }
  const typed = () => {
    const now = performance.now()
    const { saidAt = -SAID_EVERY, idle } = own.current ?? {}
    clearTimeout(idle)
    const due = now - saidAt >= SAID_EVERY
    own.current = { saidAt: due ? now : saidAt, idle: setTimeout(stop, IDLE_AFTER) }
    if (due && !isTemporary(taskId)) send({ type: 'typing_started', payload: { taskId, boardId, element: 'comment' } })
  }
  const leave = useEffectEvent(stop)
  useEffect(() => () => leave(), [])
  return { typed, stop }
}

type Typist = { user: UserSummary; heardAt: number }

function useTypists(taskId: number): UserSummary[] {
  const viewer = useViewer()
  const [typists, setTypists] = useState<Typist[]>([])
  const update = (message: { taskId: number; userId: number }, started: Typist[]) => {
    if (message.taskId !== taskId || message.userId === viewer.id) return
    setTypists((before) => [...before.filter(({ user }) => user.id !== message.userId), ...started])
  }
  useLiveMessages({
    typing_started: (message) => update(message, [{ user: message.user, heardAt: performance.now() }]),
    typing_stopped: (message) => update(message, []),
  })
  const someone = typists.length > 0
  useEffect(() => {
    if (!someone) return
    const isThere = ({ heardAt }: Typist) => performance.now() - heardAt < EXPIRES_AFTER
    const timer = setInterval(() => setTypists((before) => before.filter(isThere)), SWEPT_EVERY)
    return () => clearInterval(timer)
  }, [someone])
  return typists.map(({ user }) => user)
}
