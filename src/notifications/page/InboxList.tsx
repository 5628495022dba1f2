import { Link } from '@tanstack/react-router'
import { Ago } from '../../comments/page/Ago'
import { taskHash } from '../../tasks/page/taskHash'
import { Avatar } from '../../users/page/Avatar'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import { type Notification, quoteOf, sentence } from '../schema'
import { useInbox, useMarkRead } from './cache'

export function InboxList({ onLeave }: { onLeave(): void }) {
  const { all, unread, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInbox()
  const mark = useMarkRead()
  const leave = ({ id, readAt }: Notification) => {
    if (!readAt) mark.mutate([id])
    onLeave()
  }
  return (
    <>
      <header className="flex min-h-12 shrink-0 items-center justify-between gap-2 border-line border-b pr-2 pl-4">
        <h2 className="font-strong">Notifications</h2>
        {unread > 0 && (
          <Button look="quiet" size="small" busy={mark.isPending} onClick={() => mark.mutate(undefined)}>
            Mark all as read
          </Button>
        )}
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
        {!all && error && (
          <TryAgain busy={isFetching} retry={() => void refetch()} className="p-2.5">
            Your notifications could not be loaded.
          </TryAgain>
        )}
        {!all && !error && <Loading />}
        {all?.length === 0 && (
          <p className="p-2.5 text-quiet">Nothing yet. What others do on your tasks and boards shows up here.</p>
        )}
        <ul>
          {all?.map((notification) => (
            <li key={notification.id}>
              <Entry notification={notification} onLeave={() => leave(notification)} />
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <Button look="quiet" className="w-full" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </div>
    </>
  )
}

function Entry({ notification, onLeave }: { notification: Notification; onLeave(): void }) {
  const { actor, board, task, commentId, createdAt, readAt } = notification
  const quote = quoteOf(notification)
  return (
    <Link
      to="/board/$boardId"
      params={{ boardId: board.id }}
      {...(task && { hash: taskHash(task.id, commentId) })}
      onClick={onLeave}
      className="flex gap-3 rounded-card p-2.5 hover:bg-hover"
    >
      <Avatar user={actor} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className={`block break-words ${readAt ? 'text-quiet' : 'font-strong'}`}>
          {sentence(notification)}
        </span>
        {quote && (
          <span dir="auto" className="line-clamp-2 break-words text-quiet text-small">
            {quote}
          </span>
        )}
        <span className="block text-quiet text-small">
          {task && `${board.name} · `}
          <Ago at={createdAt} />
        </span>
      </span>
      {!readAt && (
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">Unread</span>
        </span>
      )}
    </Link>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading notifications" className="flex animate-pulse flex-col gap-4 p-2.5">
    {[1, 2, 3].map((row) => (
      <div key={row} className="flex gap-3">
        <span className="size-6 rounded-full bg-column" />
        <span className="h-10 flex-1 rounded-card bg-column" />
      </div>
    ))}
  </div>
)
