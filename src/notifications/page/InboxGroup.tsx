import { Link } from '@tanstack/react-router'
import { MailX, UserX } from 'lucide-react'
import { LeaveBoard } from '../../boards/page/LeaveBoard'
import { Ago } from '../../comments/page/Ago'
import { taskHash } from '../../tasks/page/address'
import { Avatar } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import { type Notification, quoteOf } from '../schema'
import { didText, type Group } from './groups'

type Props = { group: Group; onLeave(notification?: Notification): void }

export function InboxGroup({ group: { newest, all }, onLeave }: Props) {
  const { board, task, createdAt } = newest
  return (
    <li className="border-line border-t py-2 first:border-t-0">
      <Link {...placeOf(newest)} onClick={() => onLeave()} className="block rounded-card px-2.5 py-1 hover:bg-hover">
        <h3 dir="auto" className="line-clamp-2 break-words font-strong">
          {task?.title ?? board.name}
        </h3>
        <p className="text-quiet text-small">
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
            <Event notification={one} onLeave={() => onLeave(one)} />
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

function placeOf({ kind, board, task }: Notification, commentId: number | null = null) {
  if (kind === 'invited') return { to: '/invite' as const, search: { board: board.id } }
  return {
    to: '/board/$boardId' as const,
    params: { boardId: board.id },
    ...(task && { hash: taskHash(task.id, commentId) }),
  }
}

function Event({ notification, onLeave }: { notification: Notification; onLeave(): void }) {
  const { actor, commentId, kind, readAt } = notification
  const Icon = kind === 'account_deleted' ? UserX : MailX
  const quote = quoteOf(notification)
  return (
    <Link
      {...placeOf(notification, commentId)}
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
