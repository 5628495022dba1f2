import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Clock from 'lucide-react/icons/clock'
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
import type { ComponentProps } from 'react'
import { LogOut } from '../../auth/page/LogOut'
import { startTimer } from '../../time/page/cache'
import { useViewer } from '../../users/page/viewer'
import { chooseTheme, chosenTheme } from '../../web/theme'
import { type Action, COMMANDS, type Command, isTheme, TARGETED } from './actions'
import { type Choosing, Face } from './FinderInput'
import { Lines, Marked, ROW } from './OptionLine'

/** `text` is what to search for: `typed` without the words that name an action. */
export type Shared = Choosing & { text: string; typed: string; itself: ComponentProps<'a'> & ComponentProps<'button'> }

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { preload: false }

export function ActionOption({ action, link, typed, itself, onDone, onOpen }: Shared & { action: Action; link: LinkProps }) {
  const { username } = useViewer()
  const content = <Content action={action} typed={typed} />
  const button = (run: () => void) => (
    <button type="button" {...itself} onClick={run} className={ROW}>
      {content}
    </button>
  )
  const done = (run: () => void) =>
    button(() => {
      run()
      onDone()
    })
  if (action.kind === 'timer') {
    const { id, title, board } = action.on
    return done(() => void startTimer({ id, title, boardId: board.id }))
  }
  if (action.kind === 'task') return button(() => onOpen({ newTaskIn: action.on }))
  if (action.kind !== 'command')
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
  const { command } = action
  switch (command) {
    case 'board':
    case 'shortcuts':
      return button(() => onOpen(command))
    case 'logout':
      // It stays open: a confirmation may follow, which returns the focus here.
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
      return done(() => chooseTheme(command))
  }
}

function Content({ action, typed }: { action: Action; typed: string }) {
  const [Icon, title, beside] = partsOf(action, typed)
  return (
    <>
      <Face>
        <Icon className="size-4 text-quiet" aria-hidden />
      </Face>
      <Lines title={title} beside={beside} />
    </>
  )
}

function partsOf(action: Action, typed: string) {
  if (action.kind === 'command') {
    const { command } = action
    const isChosen = isTheme(command) && command === chosenTheme()
    return [
      COMMAND_ICONS[command],
      <Marked text={COMMANDS[command].label} typed={typed} />,
      isChosen ? 'Current' : undefined,
    ] as const
  }
  const [name, board] = action.kind === 'timer' ? [action.on.title, action.on.board.name] : [action.on.name]
  const title = (
    <>
      <span className="text-quiet">
        <Marked text={TARGETED[action.kind]} typed={typed} />
      </span>{' '}
      <Marked text={name} typed={typed} />
    </>
  )
  return [TARGETED_ICONS[action.kind], title, board] as const
}

const TARGETED_ICONS = { timer: Play, task: Plus, logs: Clock, invite: UserPlus }

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
