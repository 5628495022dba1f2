import { Link, useNavigate, useParams } from '@tanstack/react-router'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LogOut from 'lucide-react/icons/log-out'
import Menu from 'lucide-react/icons/menu'
import User from 'lucide-react/icons/user'
import Wrench from 'lucide-react/icons/wrench'
import X from 'lucide-react/icons/x'
import * as Dialog from 'radix-ui/dialog'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { LogOut as LoggingOut } from '../auth/page/LogOut'
import { UnconfirmedEmail } from '../auth/page/UnconfirmedEmail'
import { MyBoards } from '../boards/page/MyBoards'
import { FinderButton, FinderField, useFinder, useNoteRecent } from '../finder/page/Finder'
import { Bell } from '../notifications/page/Bell'
import { useLiveInbox } from '../notifications/page/cache'
import { BOARD_ID } from '../tasks/page/useKeyboardMove'
import { EntryOfNotice, HeaderTimer } from '../time/page/HeaderTimer'
import { useLiveTimers } from '../time/page/timersCache'
import { Avatar } from '../users/page/Avatar'
import { useViewer } from '../users/page/viewer'
import { displayName } from '../users/schema'
import { useKeys } from '../web/keyboard'
import { ICON_BUTTON, IconButton } from '../web/ui/Button'
import { ConnectionLine } from '../web/ui/ConnectionLine'
import { Overlay } from '../web/ui/Dialog'
import { Hint, Truncated } from '../web/ui/Hint'
import { Logo, SourceLink } from '../web/ui/PublicFrame'
import { ThemeSwitch } from '../web/ui/ThemeSwitch'
import { watchUndoKey } from '../web/undo'
import { useEver, useMedia, WIDE } from '../web/useMedia'
import { RefusedChanges } from './RefusedChanges'
import { MAIN, SHELL, SIDEBAR, TOP_BAR } from './ShellSkeleton'
import { ShortcutList } from './ShortcutList'

/** The sidebar (on a phone, a bar at the top) and the page beside it. */
export function Shell({ children }: { children: ReactNode }) {
  const onBoard = useParams({ strict: false }).boardId !== undefined
  const main = useRef<HTMLElement>(null)
  // Not a link with a hash: hashes name tasks.
  const skipThere = () => (document.getElementById(BOARD_ID) ?? main.current)?.focus()
  useLiveInbox()
  useLiveTimers()
  useNoteRecent()
  useEffect(watchUndoKey, [])
  const [isListing, setListing] = useState(false)
  const listKeys = () => setListing(true)
  const { find, finder } = useFinder(listKeys)
  const navigate = useNavigate()
  useKeys({ 'Shift+t': () => void navigate({ to: '/time' }), '?': listKeys })
  return (
    <div className={SHELL}>
      <button
        type="button"
        onClick={skipThere}
        className="fixed top-2 left-2 z-50 rounded-card bg-raised px-3 py-2 font-strong shadow-panel not-focus:sr-only"
      >
        Skip to {onBoard ? 'the board' : 'the content'}
      </button>
      <Frame onFind={find} />
      <main ref={main} tabIndex={-1} className={MAIN}>
        <UnconfirmedEmail />
        {children}
        <div className="relative">{!onBoard && <ConnectionLine corner />}</div>
        <RefusedChanges />
      </main>
      {finder}
      {isListing && <ShortcutList onClose={() => setListing(false)} />}
      <EntryOfNotice />
    </div>
  )
}

/** Created when first shown, then kept with what is open in it. An open dialog hides its place from screen readers. */
function Frame({ onFind }: { onFind(): void }) {
  const isWide = useMedia(WIDE)
  return (
    <>
      <div className="contents">{useEver(isWide) && <Sidebar onFind={onFind} />}</div>
      <div className="contents">{useEver(!isWide) && <MobileHeader onFind={onFind} />}</div>
    </>
  )
}

const HomeLink = () => (
  <Link to="/" aria-label="wrk dashboard" className="rounded-card px-2">
    <Logo />
  </Link>
)

function Sidebar({ onFind }: { onFind(): void }) {
  const user = useViewer()
  return (
    <aside className={SIDEBAR} aria-label="Sidebar">
      <div className="flex items-center justify-between">
        <HomeLink />
        <Bell />
      </div>
      <FinderField onFind={onFind} />
      <PageLinks />
      <MyBoards />
      {/* The list shrinks to make room, so nothing moves. */}
      <HeaderTimer />
      <div className="flex flex-col gap-2 border-line border-t pt-3">
        <div className="flex items-center gap-1">
          <Link
            to="/$username"
            params={{ username: user.username }}
            className="flex min-w-0 flex-1 items-center gap-2 rounded-card p-1.5 hover:bg-hover"
          >
            <Avatar user={user} />
            <Truncated text={displayName(user)} />
          </Link>
          <OperatorLink />
          <LoggingOut>
            {(logOut) => (
              <Hint text="Log out">
                <IconButton icon={LogOut} label="Log out" title={undefined} onClick={logOut} />
              </Hint>
            )}
          </LoggingOut>
        </div>
        <div className="flex items-center justify-between pr-2 text-quiet text-small">
          <ThemeSwitch />
          <SourceLink />
        </div>
      </div>
    </aside>
  )
}

function MobileHeader({ onFind }: { onFind(): void }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <header className={TOP_BAR}>
      <HomeLink />
      <div className="flex min-w-0 flex-1 pl-2 sm:pr-2">
        <HeaderTimer />
      </div>
      <FinderButton onFind={onFind} />
      <Bell />
      <button
        ref={button}
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={`-mr-overhang ${ICON_BUTTON}`}
      >
        <Menu className="size-4.5" aria-hidden />
      </button>
      <MobileMenu open={open} onOpenChange={setOpen} opener={button} />
    </header>
  )
}

type MenuProps = { open: boolean; onOpenChange(open: boolean): void; opener: RefObject<HTMLButtonElement | null> }

function MobileMenu({ open, onOpenChange, opener }: MenuProps) {
  const giveBack = (event: Event) => {
    event.preventDefault()
    opener.current?.focus()
  }
  return (
    <Overlay
      open={open}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={giveBack}
      className="inset-y-0 right-0 w-72 max-w-[85vw] animate-slide gap-5 overflow-y-auto px-4 pb-4 sm:pb-20 md:pr-6 short:gap-3 short:[&>*]:flex-none"
    >
      {/* The button that closes it is where the one that opened it was. */}
      <div className="flex h-14 shrink-0 items-center justify-between pt-3 short:h-12 short:pt-1">
        <Dialog.Title className="px-2 font-strong">Menu</Dialog.Title>
        <Dialog.Close className={`-mr-overhang ${ICON_BUTTON}`} aria-label="Close menu">
          <X className="size-4.5" aria-hidden />
        </Dialog.Close>
      </div>
      <PageLinks onNavigate={() => onOpenChange(false)} />
      <MyBoards truncateAt={20} onNavigate={() => onOpenChange(false)} />
      <Account onNavigate={() => onOpenChange(false)} />
      <div className="flex items-center justify-between px-2 text-quiet text-small">
        <div className="flex flex-col">
          <span>© {new Date().getFullYear()} wrk</span>
          <SourceLink />
        </div>
        <ThemeSwitch />
      </div>
    </Overlay>
  )
}

const ROW =
  'flex w-full items-center gap-2 rounded-card px-2 py-2 text-left text-quiet hover:bg-hover hover:text-text pointer-coarse:min-h-control'

function Account({ onNavigate }: { onNavigate(): void }) {
  const user = useViewer()
  return (
    <section aria-labelledby="account">
      <h2 id="account" className="px-2 pb-1 text-quiet text-small">
        Account
      </h2>
      <Link to="/$username" params={{ username: user.username }} onClick={onNavigate} className={ROW}>
        <User className="size-4 text-quiet" aria-hidden />
        Profile
      </Link>
      {user.operator && (
        <Link to="/operator" onClick={onNavigate} className={ROW}>
          <Wrench className="size-4 text-quiet" aria-hidden />
          Operator
        </Link>
      )}
      <LoggingOut>
        {(logOut) => (
          <button type="button" onClick={logOut} className={ROW}>
            <LogOut className="size-4 text-quiet" aria-hidden />
            Log Out
          </button>
        )}
      </LoggingOut>
    </section>
  )
}

const PAGES = [
  { to: '/', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/time', name: 'My time', Icon: CalendarClock },
] as const

const PageLinks = ({ onNavigate }: { onNavigate?(): void }) => (
  <nav aria-label="Pages" className="-my-1 flex flex-col">
    {PAGES.map(({ to, name, Icon }) => (
      <Link
        key={to}
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        onClick={onNavigate}
        className="flex items-center gap-2 rounded-card px-2 py-1.5 pointer-coarse:min-h-control text-quiet hover:bg-hover hover:text-text data-[status=active]:bg-column data-[status=active]:font-strong data-[status=active]:text-text"
      >
        <Icon className="size-4" aria-hidden />
        {name}
      </Link>
    ))}
  </nav>
)

const OperatorLink = () =>
  useViewer().operator && (
    <Hint text="Operator">
      <Link to="/operator" aria-label="Operator" className={ICON_BUTTON}>
        <Wrench className="size-4" aria-hidden />
      </Link>
    </Hint>
  )
