import { useLocation } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { mayChangeComment } from '../../access'
import { isImported } from '../../boards/limits'
import type { Board } from '../../boards/schema'
import { numberText } from '../../format'
import { parseTaskHash } from '../../tasks/page/taskUrl'
import type { Task } from '../../tasks/schema'
import { useViewer } from '../../users/page/viewer'
import { isUnreachable } from '../../web/live/reachability'
import { stableKey, storedId } from '../../web/live/temporaryIds'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Select } from '../../web/ui/Field'
import { useCooldown } from '../../web/useCall'
import type { Comment } from '../schema'
import { CommentItem, isBeingEdited } from './CommentItem'
import { edit, isLater, remove, tickInComment, useComments } from './cache'
import { NewComment } from './NewComment'

const SORTED_ABOVE = 10
const COUNTED_ABOVE = 15
const FIRST_SHOWN = 20
const MORE_SHOWN = 50
const ACTION_COOLDOWN = 500
/** This close to its end, a list counts as scrolled to the end. */
const NEAR_PX = 40
const GROUPED_WITHIN = 5 * 60_000

const ORDERS = { recent: 'Most Recent', oldest: 'Oldest First' } as const
type Order = keyof typeof ORDERS

type Props = { board: Board; task: Task; locked: boolean }

/** The field is where the next comment goes: at the end, or on top if the newest come first. */
export function Comments({ board, task, locked }: Props) {
  const { comments, read, error, isError, isFetching, retry } = useComments(board.id, task.id)
  const [order, setOrder] = useState<Order>('oldest')
  const [first, setFirst] = useState<Comment | null>()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const count = comments?.length ?? task.commentCount
  const linked = useLinkedComment()
  // Before they load, and offline, the board knows whether there are any.
  const isNone = comments ? comments.length === 0 : task.commentCount === 0 && (!isError || isUnreachable(error))
  // Set once, so that neither new nor deleted comments hide others.
  if (read && first === undefined) setFirst(firstBehind(read, read.length - FIRST_SHOWN))
  const left = linked === null && first ? (comments ?? []).filter((comment) => isLater(first, comment)).length : 0
  const showNewest = () => {
    requestAnimationFrame(() => {
      const newest = order === 'recent' ? list.current?.firstElementChild : list.current?.lastElementChild
      newest?.scrollIntoView({ block: 'nearest' })
    })
  }
  // At the end of a wide panel, so that others' comments do not move it.
  const field = !locked && (
    <div className={order === 'oldest' ? 'md:mt-auto' : ''}>
      <NewComment board={board} taskId={task.id} comments={comments ?? []} onSent={showNewest} />
    </div>
  )
  const more = (
    <div className="flex items-center justify-between gap-2 empty:hidden">
      {comments && count > COUNTED_ABOVE && (
        <p className="tabular text-quiet text-small">
          Showing {numberText(count - left)} of {numberText(count)} comments
        </p>
      )}
      {comments && left > 0 && (
        <Button size="small" onClick={() => setFirst(firstBehind(comments, left - MORE_SHOWN))}>
          Load more
        </Button>
      )}
    </div>
  )
  return (
    <section aria-labelledby="comments" className="flex flex-col gap-2 md:flex-1 lg:h-full">
      <div className="flex min-h-10.5 items-center justify-between gap-2">
        <h2 id="comments" ref={heading} tabIndex={-1} className="flex gap-2 font-strong focus:outline-none">
          Comments {count > 0 && <span className="tabular font-normal text-quiet">{numberText(count)}</span>}
        </h2>
        {count > SORTED_ABOVE && <OrderSelect order={order} onOrder={setOrder} />}
      </div>
      {order === 'recent' ? field : more}
      {comments && (
        <CommentList
          list={list}
          board={board}
          comments={comments}
          order={order}
          hidden={left}
          linked={linked}
          locked={locked}
          onDeleted={() => heading.current?.focus()}
        />
      )}
      {order === 'recent' && more}
      {isNone && <p className="pb-2 text-quiet">No comments yet</p>}
      {/* The only sign of a failed read, which otherwise is just logged. */}
      {isError && !isNone && (
        <TryAgain busy={isFetching} retry={retry} error={error}>
          The comments could not be loaded.
        </TryAgain>
      )}
      {!comments && !isError && task.commentCount > 0 && <LoadingComments />}
      {order === 'oldest' && field}
    </section>
  )
}

/** The first one shown if `hidden` ones come before it; null if none do. */
const firstBehind = (comments: Comment[], hidden: number): Comment | null => (hidden > 0 ? (comments[hidden] ?? null) : null)

/** The comment in the address, from a notification or a mail. */
function useLinkedComment(): number | null {
  const hash = useLocation({ select: ({ hash }) => hash })
  return parseTaskHash(hash).commentId || null
}

const OrderSelect = ({ order, onOrder }: { order: Order; onOrder(order: Order): void }) => (
  <Select
    aria-label="Sort comments"
    value={order}
    onChange={(event) => onOrder(event.target.value === 'oldest' ? 'oldest' : 'recent')}
    options={Object.entries(ORDERS)}
  />
)

type ListProps = {
  list: RefObject<HTMLUListElement | null>
  board: Board
  comments: Comment[]
  order: Order
  /** How many of the earliest are hidden. */
  hidden: number
  linked: number | null
  locked: boolean
  onDeleted(): void
}

function CommentList({ list, board, comments, order, hidden, linked, locked, onDeleted }: ListProps) {
  const viewer = useViewer()
  const cooldown = useCooldown(ACTION_COOLDOWN)
  const [editing, setEditing] = useState(() => editOf(comments, comments.find(isBeingEdited)))
  // Others' new comments wait during an edit: they would move it.
  const waits = (comment: Comment) => !!editing && comment.userId !== viewer.id && isLater(comment, editing.newest)
  const shown = comments.slice(hidden)
  const sorted = order === 'recent' ? shown.filter((comment) => !waits(comment)).toReversed() : shown
  const onScroll = useNewestInSight(list, order === 'oldest' && !editing && linked === null, comments.at(-1)?.id)

  const save = (comment: Comment) => async (content: string) => {
    cooldown.start()
    const answer = await submitWithUndo(board.id, edit, { comment, content })
    if (!answer) setEditing(editOf(comments, comment))
    return answer
  }
  const deleteComment = (comment: Comment) => {
    cooldown.start()
    onDeleted()
    void submitWithUndo(board.id, remove, comment)
  }
  if (comments.length === 0) return null
  const heads = headsOf(sorted)
  return (
    <ul
      ref={list}
      aria-label="Comments"
      onScroll={onScroll}
      className="-mx-1 mt-1 flex max-h-112 flex-col gap-4 overflow-y-auto p-1 lg:max-h-none lg:min-h-16"
    >
      {sorted.map((comment) => (
        <CommentItem
          key={stableKey('comment', comment.id)}
          comment={comment}
          members={board.members}
          imported={isImported(board, comment.createdAt)}
          linked={comment.id === linked}
          isContinuation={comment.id !== linked && !heads.has(comment.id)}
          changeable={!locked && mayChangeComment(viewer, comment)}
          editing={comment.id === storedId(editing?.id ?? 0) && !locked}
          cooling={cooldown.active}
          onEdit={(begun) => setEditing(begun ? editOf(comments, comment) : null)}
          onSave={save(comment)}
          onTick={(box) => tickInComment(board.id, comment, box)}
          onDelete={() => deleteComment(comment)}
        />
      ))}
    </ul>
  )
}

/** The ids of comments that show author and time: the first of each run by one person, and again after five minutes. */
function headsOf(sorted: Comment[]): Set<number> {
  const heads: Comment[] = []
  for (const comment of sorted) {
    const head = heads.at(-1)
    const isApart = !head || Math.abs(Date.parse(comment.createdAt) - Date.parse(head.createdAt)) >= GROUPED_WITHIN
    if (isApart || head.userId !== comment.userId) heads.push(comment)
  }
  return new Set(heads.map(({ id }) => id))
}

/** Keeps the newest at the end in sight until the user scrolls up. */
function useNewestInSight(list: RefObject<HTMLUListElement | null>, isOn: boolean, newest: number | undefined) {
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const { current } = list
    if (isOn && isAtEnd.current && current) current.scrollTop = current.scrollHeight
  }, [list, isOn, newest])
  return ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: { currentTarget: HTMLElement }) => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
  }
}

const editOf = (comments: Comment[], edited: Comment | undefined) =>
  edited ? { id: edited.id, newest: comments.at(-1) ?? edited } : null

const LoadingComments = () => <div role="status" aria-label="Loading comments" className="skeleton-people h-10" />
