import { Link, useNavigate } from '@tanstack/react-router'
import { LogOut, Menu } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useViewer } from '../auth/page/cache'
import { LogOut as LoggingOut } from '../auth/page/LogOut'
import { UnconfirmedEmail } from '../auth/page/UnconfirmedEmail'
import { MyBoards } from '../boards/page/MyBoards'
import { FinderButton, FinderField, useFinder, useNoteRecent } from '../finder/page/Finder'
import { Bell } from '../notifications/page/Bell'
import { useLiveInbox } from '../notifications/page/cache'
import { HeaderTimer } from '../time/page/HeaderTimer'
import { useLiveTimers } from '../time/page/timersCache'
import { Avatar } from '../users/page/Avatar'
import { displayName } from '../users/schema'
import { Hint } from '../web/ui/Hint'
import { Logo } from '../web/ui/Logo'
import { Reconnecting } from '../web/ui/Reconnecting'
import { ThemeSwitch } from '../web/ui/ThemeSwitch'
import { Truncated } from '../web/ui/Truncated'
import { watchUndoKey } from '../web/undo'
import { useEver } from '../web/useEver'
import { useKeys } from '../web/useKeys'
import { useMedia, WIDE } from '../web/useMedia'
import { MobileMenu } from './MobileMenu'
import { NotSaved } from './NotSaved'
import { OperatorLink } from './OperatorLink'
import { MAIN, SHELL, SIDEBAR, TOP_BAR } from './ShellSkeleton'
import { TimeLink } from './TimeLink'

type Skip = { id: string; name: string }

export function Shell({ skip, children }: { skip?: Skip; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  // Not a link with a hash, for hashes name tasks.
  const skipThere = () => ((skip && document.getElementById(skip.id)) ?? main.current)?.focus()
  useLiveInbox()
  useLiveTimers()
  useNoteRecent()
  useEffect(watchUndoKey, [])
  const { find, finder } = useFinder()
  const navigate = useNavigate()
  useKeys({ 'Shift+t': () => void navigate({ to: '/time' }) })
  return (
    <div className={SHELL}>
      <button
        type="button"
        onClick={skipThere}
        className="fixed top-2 left-2 z-50 rounded-card bg-raised px-3 py-2 font-strong shadow-panel not-focus:sr-only"
      >
        Skip to {skip?.name ?? 'the content'}
      </button>
      <Frame onFind={find} />
      <main ref={main} tabIndex={-1} className={MAIN}>
        <UnconfirmedEmail />
        {children}
        <div className="relative">{!skip && <Reconnecting corner />}</div>
        <NotSaved />
      </main>
      {finder}
    </div>
  )
}

/**
 * What this width hides is made only once it shows, and then stays, with what is open in it; each in a place of its own,
 * which an open dialog hides from screen readers together with what comes there later.
 */
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
  <Link to="/" aria-label="wrk, to the dashboard" className="rounded-card px-2 py-1">
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
      <TimeLink />
      <MyBoards />
      {/* Here the list gives way to it, and nothing moves. */}
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
                <button
                  type="button"
                  aria-label="Log out"
                  onClick={logOut}
                  className="grid size-8 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
                >
                  <LogOut className="size-4" aria-hidden />
                </button>
              </Hint>
            )}
          </LoggingOut>
        </div>
        <ThemeSwitch />
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
      <div className="flex min-w-0 flex-1">
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
        className="grid size-9 place-items-center rounded-card hover:bg-hover"
      >
        <Menu className="size-5" aria-hidden />
      </button>
      <MobileMenu open={open} onOpenChange={setOpen} opener={button} />
    </header>
  )
}
