import { Link } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import type { MouseEvent, ReactNode } from 'react'
import { STATUS_LABELS, type Status } from '../../tasks/limits'
import { STATUS_COLORS } from '../../tasks/page/display'
import { taskHash } from '../../tasks/page/taskUrl'
import { Avatar } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import { ActionOption, type LinkProps, type Shared } from './ActionOption'
import { Face, Lines, Marked, ROW } from './OptionLine'
import type { Entry } from './useFind'

export function Option({ entry, ...shared }: Shared & { entry: Entry }) {
  const { text, itself } = shared
  const leave = (event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) shared.onLeave()
  }
  const link = { ...itself, onClick: leave, className: ROW, preload: false } as const
  switch (entry.kind) {
    case 'board':
      return (
        <Link to="/board/$boardId" params={{ boardId: entry.board.id }} {...link}>
          <Face>
            <LayoutGrid className="size-4 text-quiet" aria-hidden />
          </Face>
          <Lines title={<Marked text={entry.board.name} typed={text} />} />
        </Link>
      )
    case 'task':
      return (
        <ToTask boardId={entry.task.board.id} taskId={entry.task.id} link={link}>
          <StatusDot status={entry.task.status} />
          <Lines title={<Marked text={entry.task.title} typed={text} />} tag={entry.task.tag} beside={entry.task.board.name}>
            {entry.task.excerpt && <Marked text={entry.task.excerpt} typed={text} />}
          </Lines>
        </ToTask>
      )
    case 'comment':
      return (
        <ToTask boardId={entry.comment.board.id} taskId={entry.comment.task.id} commentId={entry.comment.id} link={link}>
          <Face>
            <Avatar user={entry.comment.user} />
          </Face>
          <Lines title={<Marked text={entry.comment.excerpt} typed={text} />}>
            {displayName(entry.comment.user)} on {entry.comment.task.title} · {entry.comment.board.name}
          </Lines>
        </ToTask>
      )
    case 'person':
      return (
        <Link to="/$username" params={{ username: entry.person.username }} {...link}>
          <Face>
            <Avatar user={entry.person} />
          </Face>
          <Lines title={<Marked text={displayName(entry.person)} typed={text} />} beside={`@${entry.person.username}`} />
        </Link>
      )
    case 'action':
      return <ActionOption action={entry.action} link={link} {...shared} />
  }
}

/** A task of the open board is not open itself. */
const OPEN = { includeHash: true }

const ToTask = ({
  boardId,
  taskId,
  commentId,
  link,
  children,
}: {
  boardId: number
  taskId: number
  commentId?: number
  link: LinkProps
  children: ReactNode
}) => (
  <Link to="/board/$boardId" params={{ boardId }} hash={taskHash(taskId, commentId)} activeOptions={OPEN} {...link}>
    {children}
  </Link>
)

const StatusDot = ({ status }: { status: Status }) => (
  <Face>
    <span className={`h-4 w-1 rounded-full ${STATUS_COLORS[status]}`} />
    <span className="sr-only">{STATUS_LABELS[status]}: </span>
  </Face>
)
