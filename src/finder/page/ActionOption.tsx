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
import type { ComponentProps, ReactNode } from 'react'
import { LogOut } from '../../auth/page/LogOut'
import { startTimer } from '../../time/page/cache'
import { useViewer } from '../../users/page/viewer'
import { chooseTheme, chosenTheme } from '../../web/theme'
import type { FoundTask } from '../schema'
import { type Action, COMMANDS, type Command, isTheme, TARGETED } from './actions'
import type { Choosing } from './FinderInput'
import { Face, Lines, Marked, ROW } from './OptionLine'

/** `text` is what is searched for: without the words of `typed` that name an action. */
export type Shared = Choosing & { text: string; typed: string; itself: ComponentProps<'a'> & ComponentProps<'button'> }

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { preload: false }

export function ActionOption({ action, link, ...shared }: Shared & { action: Action; link: LinkProps }) {
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
  const start = () => {
    void startTimer({ id, title, boardId: board.id })
    onDone()
  }
  return (
    <button type="button" {...itself} onClick={start} className={ROW}>
      {children}
    </button>
  )
}
