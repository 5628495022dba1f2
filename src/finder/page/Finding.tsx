import { Link } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { countText } from '../../format'
import { STATUS_LABELS, type Status } from '../../tasks/limits'
import { STATUS_COLORS } from '../../tasks/page/display'
import { taskHash } from '../../tasks/page/taskUrl'
import { Avatar } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import { FOCUSED_AT_END } from '../../web/ui/Field'
import { ActionOption, type LinkProps, type Shared } from './ActionOption'
import { Face, FinderInput, type FindingProps } from './FinderInput'
import { Lines, Marked, ROW } from './OptionLine'
import { type Entry, useFind } from './useFind'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }

export function Finding({ typed, onType, isEarly, onLeave, onDone, onOpen }: FindingProps) {
  const [chosen, setChosen] = useState<string>()
  const { text, groups, isSearching, failure } = useFind(typed)
  const id = useId()
  const keys = groups.flatMap(({ entries }) => entries.map(({ key }) => key))
  const active = chosen !== undefined && keys.includes(chosen) ? chosen : keys[0]
  const idOf = (key: string) => `${id}-${key}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (active === undefined) return
    const option = document.getElementById(idOf(active))
    const step = STEPS[event.key]
    if (step !== undefined) {
      const next = keys[stepped(keys.indexOf(active), step, keys.length)]
      setChosen(next)
      if (next) document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key !== 'Enter') return
    else if ((event.ctrlKey || event.metaKey) && option instanceof HTMLAnchorElement)
      window.open(option.href, '_blank', 'noopener')
    else option?.click()
    event.preventDefault()
  }
  return (
    <>
      <FinderInput
        {...(isEarly && FOCUSED_AT_END)}
        typed={typed}
        onType={(text) => {
          onType(text)
          setChosen(undefined)
        }}
        aria-expanded={keys.length > 0}
        aria-controls={id}
        aria-activedescendant={active && idOf(active)}
        onKeyDown={onKeyDown}
      />
      {typed.trim() === '' && groups[0]?.label !== 'Recent' && (
        <p className="shrink-0 px-5 pt-4 text-quiet">Boards and tasks you open appear here.</p>
      )}
      <div id={id} role="listbox" aria-label="Results" className="finder-list">
        {groups.map(({ label, entries }, nth) => (
          <fieldset key={label} aria-labelledby={`${id}-group-${nth}`} className="min-w-0 not-first:mt-2">
            <p id={`${id}-group-${nth}`} role="presentation" className="px-3 py-1 text-quiet text-small">
              {label}
            </p>
            {entries.map((entry) => (
              <Option
                key={entry.key}
                entry={entry}
                text={text}
                typed={typed}
                onLeave={onLeave}
                onDone={onDone}
                onOpen={onOpen}
                itself={{
                  id: idOf(entry.key),
                  role: 'option',
                  tabIndex: -1,
                  'aria-selected': entry.key === active,
                  onPointerMove: () => setChosen(entry.key),
                }}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <SearchStatus text={text} count={keys.length} isSearching={isSearching} failure={failure} />
    </>
  )
}

function stepped(at: number, step: number, count: number): number {
  if (Math.abs(step) === 1) return (at + step + count) % count
  return Math.min(Math.max(at + step, 0), count - 1)
}

type SearchStatusProps = { text: string; count: number; isSearching: boolean; failure: string | undefined }

function SearchStatus({ text, count, isSearching, failure }: SearchStatusProps) {
  return (
    <>
      {count === 0 && <p className="px-5 py-6 text-quiet">{isSearching ? 'Searching…' : `Nothing found for “${text}”.`}</p>}
      <p role="status" className="shrink-0 border-line px-5 text-quiet text-small not-empty:border-t not-empty:py-2.5">
        {failure && `${failure}: only boards you’ve opened are searched.`}
      </p>
      <p role="status" className="sr-only">
        {text !== '' && !isSearching && countText(count, 'result')}
      </p>
    </>
  )
}

function Option({ entry, ...shared }: Shared & { entry: Entry }) {
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

const StatusDot = ({ status }: { status: Status | null }) => (
  <Face>
    <span className={`h-4 w-1 rounded-full ${status ? STATUS_COLORS[status] : 'bg-line'}`} />
    {status && <span className="sr-only">{STATUS_LABELS[status]}: </span>}
  </Face>
)
