import { useLocation } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { mayChangeComment } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { isImported } from '../../boards/basics'
import type { Board } from '../../boards/schema'
import { inTaskHash } from '../../tasks/page/taskHash'
import type { Task } from '../../tasks/schema'
import { aliasOf, firstId } from '../../web/live/aliases'
import { isUnreachable } from '../../web/live/connection'
import { Button } from '../../web/ui/Button'
import { Select } from '../../web/ui/Select'
import { TryAgain } from '../../web/ui/TryAgain'
import { useCooldown } from '../../web/useCooldown'
import type { Comment } from '../schema'
import { CommentItem } from './CommentItem'
import { useComments, useDeleteComment, useEditComment } from './cache'
import { isBeingEdited } from './EditComment'
import { NewComment } from './NewComment'
import { isLater } from './reducers'
import { useTickInComment } from './ticking'

/** Up to so many comments there is no choice of their order. */
const SORTED_ABOVE = 10
const COUNTED_ABOVE = 15
const FIRST_SHOWN = 20
const MORE_SHOWN = 50
const ACTION_COOLDOWN = 500

const ORDERS = { recent: 'Most Recent', oldest: 'Oldest First' } as const
type Order = keyof typeof ORDERS

type Props = { board: Board; task: Task; locked: boolean }

/** The field stands above the comments, so that new ones do not move it. */
export function Comments({ board, task, locked }: Props) {
  const { comments, error, isError, isFetching, retry } = useComments(board.id, task.id)
  const [order, setOrder] = useState<Order>('recent')
  const [shown, setShown] = useState(FIRST_SHOWN)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const count = comments?.length ?? task.commentCount
  const linked = useLinkedComment()
  // Until they are there, and without a connection, the board knows whether there are any.
  const isNone = comments ? comments.length === 0 : task.commentCount === 0 && (!isError || isUnreachable(error))
  const limit = linked === null ? shown : Number.POSITIVE_INFINITY
  const showNewest = () => {
    if (order === 'oldest') setShown(Number.POSITIVE_INFINITY)
    requestAnimationFrame(() => {
      const newest = order === 'recent' ? list.current?.firstElementChild : list.current?.lastElementChild
      newest?.scrollIntoView({ block: 'nearest' })
    })
  }
  return (
    <section aria-labelledby="comments" className="flex flex-col gap-2">
      <div className="flex min-h-10 items-center justify-between gap-2">
        <h2 id="comments" ref={heading} tabIndex={-1} className="font-strong focus:outline-none">
          Comments {count > 0 && <span className="tabular font-normal text-quiet">{count}</span>}
        </h2>
        {count > SORTED_ABOVE && <OrderSelect order={order} onOrder={setOrder} />}
      </div>
      {!locked && <NewComment board={board} taskId={task.id} comments={comments ?? []} onSent={showNewest} />}
      {comments && (
        <CommentList
          list={list}
          board={board}
          comments={comments}
          order={order}
          shown={limit}
          linked={linked}
          locked={locked}
          onDeleted={() => heading.current?.focus()}
        />
      )}
      <div className="flex items-center justify-between gap-2 empty:hidden">
        {count > COUNTED_ABOVE && (
          <p className="tabular text-quiet text-small">
            Showing {Math.min(limit, count)} of {count} comments
          </p>
        )}
        {comments && count > limit && (
          <Button size="small" onClick={() => setShown(shown + MORE_SHOWN)}>
            Load more
          </Button>
        )}
      </div>
      {isNone && <p className="text-quiet">No comments yet</p>}
      {/* The only sign of a failed read, which otherwise is just logged. */}
      {isError && !isNone && (
        <TryAgain busy={isFetching} retry={retry} error={error}>
          The comments could not be loaded.
        </TryAgain>
      )}
      {!comments && !isError && task.commentCount > 0 && <Loading />}
    </section>
  )
}

/** The comment that a notification or a mail has led to. */
function useLinkedComment(): number | null {
  const hash = useLocation({ select: ({ hash }) => hash })
  return inTaskHash(hash).commentId || null
}

const OrderSelect = ({ order, onOrder }: { order: Order; onOrder(order: Order): void }) => (
  <Select
    aria-label="Sort comments"
    value={order}
    onChange={(event) => onOrder(event.target.value === 'oldest' ? 'oldest' : 'recent')}
  >
    {Object.entries(ORDERS).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Select>
)

type ListProps = {
  list: RefObject<HTMLUListElement | null>
  board: Board
  comments: Comment[]
  order: Order
  shown: number
  linked: number | null
  locked: boolean
  onDeleted(): void
}

function CommentList({ list, board, comments, order, shown, linked, locked, onDeleted }: ListProps) {
  const viewer = useViewer()
  const edit = useEditComment(board.id)
  const tick = useTickInComment(board.id)
  const deletion = useDeleteComment(board.id)
  const cooldown = useCooldown(ACTION_COOLDOWN)
  const [editing, setEditing] = useState(() => beginning(comments, comments.find(isBeingEdited)))
  // Others' new comments wait while one is edited, for they would move it.
  const waits = (comment: Comment) => !!editing && comment.userId !== viewer.id && isLater(comment, editing.newest)
  const sorted = order === 'recent' ? comments.filter((comment) => !waits(comment)).toReversed() : comments

  const save = (comment: Comment) => async (content: string) => {
    cooldown.start()
    const answer = await edit.run({ comment, content })
    // Opens the edit again with the text that could not be saved.
    if (!answer) setEditing(beginning(comments, comment))
    return answer
  }
  const remove = (comment: Comment) => {
    cooldown.start()
    onDeleted()
    void deletion.run(comment)
  }
  if (comments.length === 0) return null
  return (
    <ul ref={list} aria-label="Comments" className="-mx-1 mt-1 flex max-h-112 flex-col gap-4 overflow-y-auto p-1 lg:max-h-none">
      {sorted.slice(0, shown).map((comment) => (
        <CommentItem
          key={firstId('comment', comment.id)}
          comment={comment}
          members={board.members}
          imported={isImported(board, comment.createdAt)}
          linked={comment.id === linked}
          changeable={!locked && mayChangeComment(viewer, comment)}
          editing={comment.id === aliasOf(editing?.id ?? 0) && !locked}
          locked={cooldown.active}
          onEdit={(begun) => setEditing(begun ? beginning(comments, comment) : null)}
          onSave={save(comment)}
          onTick={(box) => void tick(comment, box)}
          onDelete={() => remove(comment)}
        />
      ))}
    </ul>
  )
}

const beginning = (comments: Comment[], edited: Comment | undefined) =>
  edited ? { id: edited.id, newest: comments.at(-1) ?? edited } : null

const Loading = () => (
  <div role="status" aria-label="Loading comments" className="flex animate-pulse gap-3">
    <span className="size-8 rounded-full bg-column" />
    <span className="h-10 flex-1 rounded-card bg-column" />
  </div>
)
