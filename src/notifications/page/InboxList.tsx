import { Link } from '@tanstack/react-router'
import MailX from 'lucide-react/icons/mail-x'
import UserX from 'lucide-react/icons/user-x'
import { LeaveBoard } from '../../boards/page/LeaveBoard'
import { Ago } from '../../comments/page/Ago'
import { taskHash } from '../../tasks/page/taskUrl'
import { Avatar } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import type { Notification } from '../schema'
import { didText, quoteOf } from '../sentences'
import { useInbox, useMarkRead } from './cache'

export function InboxList({ onLeave }: { onLeave(): void }) {
  const { all, unread, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInbox()
  const mark = useMarkRead()
  const leave = (notification?: Notification) => {
    if (notification && !notification.readAt) mark.mutate({ ids: [notification.id] })
    onLeave()
  }
  return (
    <>
      <header className="flex min-h-12 shrink-0 items-center justify-between gap-2 border-line border-b pr-2 pl-4">
        <h2 className="font-strong">Notifications</h2>
        {all && unread > 0 && (
          <Button look="quiet" size="small" busy={mark.isPending} onClick={() => mark.mutate({ upTo: newestOf(all) })}>
            Mark all as read
          </Button>
        )}
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
        {!all && error && (
          <TryAgain busy={isFetching} retry={() => void refetch()} error={error} className="p-2.5">
            Your notifications could not be loaded.
          </TryAgain>
        )}
        {!all && !error && <LoadingInbox />}
        {all?.length === 0 && (
          <p className="p-2.5 text-quiet">Nothing yet. Activity on your tasks and boards will show up here.</p>
        )}
        <ul>
          {groupsOf(all ?? []).map((group) => (
            <InboxGroup key={group.key} group={group} onLeave={leave} />
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

const LoadingInbox = () => <div role="status" aria-label="Loading notifications" className="skeleton-people m-2.5 h-30" />

type Props = { group: Group; onLeave(notification?: Notification): void }

function InboxGroup({ group: { newest, all }, onLeave }: Props) {
  const { board, task, createdAt } = newest
  return (
    <li className="border-line border-t py-2 first:border-t-0">
      <Link {...linkOf(newest)} onClick={() => onLeave()} className="block rounded-card px-2.5 py-1 hover:bg-hover">
        <h3 dir="auto" className="line-clamp-2 break-words font-strong">
          {task?.title ?? board.name}
        </h3>
        <p className="wrap-anywhere text-quiet text-small">
          {task && (
            <>
              <bdi>{board.name}</bdi> ·{' '}
            </>
          )}
          <Ago at={createdAt} />
        </p>
      </Link>
      <ul>
        {all.map((one) => (
          <li key={one.id}>
            <NotificationLine notification={one} onLeave={() => onLeave(one)} />
            {one.kind === 'added' && (
              <div className="pl-10">
                <LeaveBoard board={one.board} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}

function linkOf({ kind, board, task }: Notification, commentId: number | null = null) {
  if (kind === 'invited') return { to: '/invite' as const, search: { board: board.id } }
  return {
    to: '/board/$boardId' as const,
    params: { boardId: board.id },
    ...(task && { hash: taskHash(task.id, commentId) }),
  }
}

function NotificationLine({ notification, onLeave }: { notification: Notification; onLeave(): void }) {
  const { actor, commentId, kind, readAt } = notification
  const Icon = kind === 'account_deleted' ? UserX : MailX
  const quote = quoteOf(notification)
  return (
    <Link
      {...linkOf(notification, commentId)}
      onClick={onLeave}
      className="flex gap-2.5 rounded-card px-2.5 py-1.5 hover:bg-hover"
    >
      {actor ? <Avatar user={actor} /> : <Icon className="size-6 shrink-0 p-0.5 text-quiet" aria-hidden />}
      <span className="min-w-0 flex-1">
        <span dir="auto" className={`block break-words ${readAt ? 'text-quiet' : 'font-strong'}`}>
          {actor && <bdi>{displayName(actor)}</bdi>} {didText(notification)}
        </span>
        {quote && (
          <span dir="auto" className="line-clamp-2 break-words text-quiet text-small">
            {quote}
          </span>
        )}
      </span>
      {!readAt && (
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">Unread</span>
        </span>
      )}
    </Link>
  )
}

/** Not always the first: one that is added late goes on top. */
const newestOf = (notifications: Notification[]) => Math.max(...notifications.map(({ id }) => id))

/** Notifications of one task, or of a board itself; the newest first. */
type Group = { key: string; newest: Notification; all: Notification[] }

function groupsOf(notifications: Notification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of notifications) {
    const key = one.task ? `task ${one.task.id}` : `board ${one.board.id}`
    const group = groups.get(key)
    if (group) group.all.push(one)
    else groups.set(key, { key, newest: one, all: [one] })
  }
  return [...groups.values()]
}
