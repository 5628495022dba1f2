import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import FileUp from 'lucide-react/icons/file-up'
import Keyboard from 'lucide-react/icons/keyboard'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import LogOutIcon from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Sun from 'lucide-react/icons/sun'
import User from 'lucide-react/icons/user'
import UserPlus from 'lucide-react/icons/user-plus'
import Wrench from 'lucide-react/icons/wrench'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { LogOut } from '../../auth/page/LogOut'
import { STATUS_LABELS, type Status } from '../../tasks/limits'
import { STATUS_COLORS } from '../../tasks/page/display'
import { taskHash } from '../../tasks/page/taskUrl'
import { useStartTimer } from '../../time/page/cache'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { ownZone } from '../../web/clock'
import { chooseTheme, chosenTheme } from '../../web/theme'
import { plain, wordsOf } from '../rank'
import type { FoundTask } from '../schema'
import { type Action, COMMANDS, type Command, isTheme, TARGETED } from './actions'
import type { Choosing } from './FinderInput'
import type { Entry } from './useFind'

/** `text` is what is searched for: without the words of `typed` that name an action. */
type Shared = Choosing & { text: string; typed: string; itself: ComponentProps<'a'> & ComponentProps<'button'> }

const ROW =
  'flex w-full min-h-10 items-center gap-3 rounded-card px-3 py-1.5 text-left focus:outline-none aria-selected:bg-hover pointer-coarse:min-h-12'

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

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { preload: false }

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

function ActionOption({ action, link, ...shared }: Shared & { action: Action; link: LinkProps }) {
  if (action.kind === 'command') return <CommandOption command={action.command} link={link} {...shared} />
  const { typed, itself, ...choices } = shared
  const Icon = TARGETED_ICONS[action.kind]
  const content = (
    <>
      <Face>
        <Icon className="size-4 text-quiet" aria-hidden />
      </Face>
      <Lines
        title={
          <>
            <span className="text-quiet">
              <Marked text={TARGETED[action.kind]} typed={typed} />
            </span>{' '}
            <Marked text={action.kind === 'timer' ? action.on.title : action.on.name} typed={typed} />
          </>
        }
        beside={action.kind === 'timer' ? action.on.board.name : undefined}
      />
    </>
  )
  if (action.kind === 'timer')
    return (
      <StartTimer task={action.on} itself={itself} onDone={choices.onDone}>
        {content}
      </StartTimer>
    )
  if (action.kind === 'task')
    return (
      <button type="button" {...itself} onClick={() => choices.onOpen({ newTaskIn: action.on })} className={ROW}>
        {content}
      </button>
    )
  return (
    <Link
      to="/board/$boardId"
      params={{ boardId: action.on.id }}
      hash={action.kind === 'logs' ? 'time-logs' : 'invite'}
      {...link}
    >
      {content}
    </Link>
  )
}

const TARGETED_ICONS = { timer: Play, task: Plus, logs: ChartNoAxesColumn, invite: UserPlus }

function CommandOption({ command, link, typed, itself, onDone, onOpen }: Shared & { command: Command; link: LinkProps }) {
  const { username } = useViewer()
  const Icon = COMMAND_ICONS[command]
  const content = (
    <>
      <Face>
        <Icon className="size-4 text-quiet" aria-hidden />
      </Face>
      <Lines
        title={<Marked text={COMMANDS[command].label} typed={typed} />}
        beside={isTheme(command) && command === chosenTheme() ? 'Chosen' : undefined}
      />
    </>
  )
  const button = (run: () => void) => (
    <button type="button" {...itself} onClick={run} className={ROW}>
      {content}
    </button>
  )
  switch (command) {
    case 'board':
    case 'shortcuts':
      return button(() => onOpen(command))
    case 'logout':
      // It stays open: the question that may come gives the focus back to it.
      return <LogOut>{button}</LogOut>
    case 'profile':
      return (
        <Link to="/$username" params={{ username }} {...link}>
          {content}
        </Link>
      )
    case 'time':
    case 'import':
    case 'operator':
      return (
        <Link to={`/${command}`} {...link}>
          {content}
        </Link>
      )
    default:
      return button(() => {
        chooseTheme(command)
        onDone()
      })
  }
}

const COMMAND_ICONS: Record<Command, LucideIcon> = {
  board: LayoutGrid,
  time: CalendarClock,
  import: FileUp,
  profile: User,
  operator: Wrench,
  shortcuts: Keyboard,
  light: Sun,
  dark: Moon,
  system: Monitor,
  logout: LogOutIcon,
}

type StartProps = Pick<Shared, 'itself' | 'onDone'> & { task: FoundTask; children: ReactNode }

function StartTimer({ task: { id, title, board }, itself, onDone, children }: StartProps) {
  const timer = useStartTimer(board.id)
  const start = () => {
    void timer.run({ task: { id, title, boardId: board.id }, timeZone: ownZone() })
    onDone()
  }
  return (
    <button type="button" {...itself} onClick={start} className={ROW}>
      {children}
    </button>
  )
}

const Face = ({ children }: { children: ReactNode }) => (
  <span className="grid size-6 shrink-0 place-items-center">{children}</span>
)

const StatusDot = ({ status }: { status: Status }) => (
  <Face>
    <span className={`h-4 w-1 rounded-full ${STATUS_COLORS[status]}`} />
    <span className="sr-only">{STATUS_LABELS[status]}: </span>
  </Face>
)

type LinesProps = { title: ReactNode; tag?: string | null; beside?: string | undefined; children?: ReactNode }

/** On a phone, what is beside the title is below it. */
const Lines = ({ title, tag, beside, children }: LinesProps) => (
  <span className="flex min-w-0 flex-1 flex-col">
    <span className="flex min-w-0 items-baseline gap-x-3 max-sm:flex-col">
      <span dir="auto" className="min-w-0 max-w-full truncate sm:flex-1">
        {title}
      </span>
      {(tag || beside) && (
        <span className="flex min-w-0 max-w-full items-baseline gap-2 text-quiet text-small sm:max-w-1/2 sm:shrink-0">
          {tag && (
            <span className="flex min-w-8 rounded-chip bg-column px-1.5">
              <span className="sr-only">Tag: </span>
              <span dir="auto" className="truncate">
                {tag}
              </span>
            </span>
          )}
          <span dir="auto" className="truncate">
            {beside}
          </span>
        </span>
      )}
    </span>
    {children && (
      <span dir="auto" className="truncate text-quiet text-small">
        {children}
      </span>
    )}
  </span>
)

/** Marks the typed words in the text, preferably at the beginnings of words. */
function Marked({ text, typed }: { text: string; typed: string }) {
  return partsOf(text, wordsOf(typed)).map(({ from, part, isMarked }) =>
    isMarked ? (
      <mark
        key={from}
        className="font-strong text-text underline not-forced-colors:bg-transparent decoration-accent decoration-2 underline-offset-4"
      >
        {part}
      </mark>
    ) : (
      part
    ),
  )
}

type Part = { from: number; part: string; isMarked: boolean }

function partsOf(text: string, words: string[]): Part[] {
  const within = plain(text)
  // Some letters change their length, such as İ: places would be wrong.
  if (within.length !== text.length) return [{ from: 0, part: text, isMarked: false }]
  const marks = words.flatMap((word) => placeOf(within, word)).toSorted((a, b) => a.from - b.from)
  const parts: Part[] = []
  let from = 0
  for (const mark of marks) {
    if (mark.from < from) continue
    parts.push({ from, part: text.slice(from, mark.from), isMarked: false })
    parts.push({ from: mark.from, part: text.slice(mark.from, mark.to), isMarked: true })
    from = mark.to
  }
  return [...parts, { from, part: text.slice(from), isMarked: false }].filter(({ part }) => part !== '')
}

function placeOf(within: string, word: string): { from: number; to: number }[] {
  const begins = [...within.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].find(([own]) => own.startsWith(word))?.index
  const from = begins ?? within.indexOf(word)
  return from < 0 ? [] : [{ from, to: from + word.length }]
}
