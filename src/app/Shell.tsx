import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarClock, LogOut, Menu, User, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { useViewer } from '../auth/page/cache'
import { LogOut as LoggingOut } from '../auth/page/LogOut'
import { UnconfirmedEmail } from '../auth/page/UnconfirmedEmail'
import { MyBoards } from '../boards/page/MyBoards'
import { FinderButton, FinderField, useFinder } from '../finder/page/Launcher'
import { useNoteRecent } from '../finder/page/useNoteRecent'
import { Bell } from '../notifications/page/Bell'
import { useLiveInbox } from '../notifications/page/cache'
import { useBoardKeys } from '../tasks/page/useBoardKeys'
import { LazyTimer } from '../time/timers/page/LazyTimer'
import { useLiveTimers } from '../time/timers/page/useTimers'
import { Avatar } from '../users/page/Avatar'
import { displayName } from '../users/schema'
import { besideToasts } from '../web/ui/besideToasts'
import { Hint } from '../web/ui/Hint'
import { Logo } from '../web/ui/Logo'
import { Reconnecting } from '../web/ui/Reconnecting'
import { ThemeSwitch } from '../web/ui/ThemeSwitch'
import { Truncated } from '../web/ui/Truncated'
import { UndoStack } from '../web/ui/UndoStack'
import { NotSaved } from './NotSaved'
import { MAIN, SHELL, SIDEBAR, TOP_BAR } from './ShellSkeleton'

type Skip = { id: string; name: string }

export function Shell({ skip, children }: { skip?: Skip; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  // Not a link with a hash, for hashes name tasks.
  const skipThere = () => ((skip && document.getElementById(skip.id)) ?? main.current)?.focus()
  useLiveInbox()
  useLiveTimers()
  useNoteRecent()
  const { find, finder } = useFinder()
  const navigate = useNavigate()
  useBoardKeys({ T: () => void navigate({ to: '/time' }) })
  return (
    <div className={SHELL}>
      <button
        type="button"
        onClick={skipThere}
        className="fixed top-2 left-2 z-50 rounded-card bg-raised px-3 py-2 font-strong shadow-panel not-focus:sr-only"
      >
        Skip to {skip?.name ?? 'the content'}
      </button>
      <Sidebar onFind={find} />
      <MobileHeader onFind={find} />
      <main ref={main} tabIndex={-1} className={MAIN}>
        <UnconfirmedEmail />
        <NotSaved />
        {children}
        {!skip && <Reconnecting corner />}
      </main>
      <UndoStack />
      {finder}
    </div>
  )
}

const HomeLink = () => (
  <Link to="/" aria-label="wrk, to the dashboard" className="rounded-card px-2 py-1">
    <Logo />
  </Link>
)

const TimeLink = ({ onNavigate }: { onNavigate?(): void }) => (
  <Link
    to="/time"
    onClick={onNavigate}
    className="-my-1 flex items-center gap-2 rounded-card px-2 py-1.5 text-quiet hover:bg-hover hover:text-text data-[status=active]:bg-column data-[status=active]:font-strong data-[status=active]:text-text"
  >
    <CalendarClock className="size-4" aria-hidden />
    My time
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
      <LazyTimer />
      <TimeLink />
      <MyBoards />
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
  return (
    <header className={TOP_BAR}>
      <HomeLink />
      <div className="flex min-w-0 flex-1">
        <LazyTimer />
      </div>
      <FinderButton onFind={onFind} />
      <Bell />
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger className="grid size-9 place-items-center rounded-card hover:bg-hover" aria-label="Menu">
          <Menu className="size-5" aria-hidden />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
          <Dialog.Content
            aria-describedby={undefined}
            onInteractOutside={besideToasts}
            className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] animate-slide flex-col gap-5 bg-raised p-4 shadow-panel focus:outline-none"
          >
            <div className="flex items-center justify-between">
              <Dialog.Title className="px-2">
                <Logo />
              </Dialog.Title>
              <Dialog.Close
                className="grid size-9 place-items-center rounded-card text-quiet hover:bg-hover"
                aria-label="Close menu"
              >
                <X className="size-4" aria-hidden />
              </Dialog.Close>
            </div>
            <TimeLink onNavigate={() => setOpen(false)} />
            <MyBoards truncateAt={20} onNavigate={() => setOpen(false)} />
            <Account onNavigate={() => setOpen(false)} />
            <div className="flex items-center justify-between px-2 text-quiet text-small">
              <span>© {new Date().getFullYear()} wrk</span>
              <ThemeSwitch />
            </div>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  )
}

const ROW = 'flex w-full items-center gap-2 rounded-card px-2 py-2 text-left hover:bg-hover'

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
