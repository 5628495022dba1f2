import { Link } from '@tanstack/react-router'
import { LogOut, User, Wrench, X } from 'lucide-react'
import * as Dialog from 'radix-ui/dialog'
import type { RefObject } from 'react'
import { useViewer } from '../auth/page/cache'
import { LogOut as LoggingOut } from '../auth/page/LogOut'
import { MyBoards } from '../boards/page/MyBoards'
import { Logo } from '../web/ui/Logo'
import { Overlay } from '../web/ui/Overlay'
import { ThemeSwitch } from '../web/ui/ThemeSwitch'
import { TimeLink } from './TimeLink'

type Props = { open: boolean; onOpenChange(open: boolean): void; opener: RefObject<HTMLButtonElement | null> }

export function MobileMenu({ open, onOpenChange, opener }: Props) {
  const giveBack = (event: Event) => {
    event.preventDefault()
    opener.current?.focus()
  }
  return (
    <Overlay
      open={open}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={giveBack}
      className="top-16 bottom-0 left-0 w-72 max-w-[85vw] animate-slide gap-5 overflow-y-auto rounded-tr-panel p-4 sm:top-0 sm:pb-20 sm:rounded-none short:top-0"
    >
      <div className="flex items-center justify-between">
        <Dialog.Title className="px-2">
          <Logo />
        </Dialog.Title>
        <Dialog.Close className="grid size-9 place-items-center rounded-card text-quiet hover:bg-hover" aria-label="Close menu">
          <X className="size-4" aria-hidden />
        </Dialog.Close>
      </div>
      <TimeLink onNavigate={() => onOpenChange(false)} />
      <MyBoards truncateAt={20} onNavigate={() => onOpenChange(false)} />
      <Account onNavigate={() => onOpenChange(false)} />
      <div className="flex items-center justify-between px-2 text-quiet text-small">
        <span>© {new Date().getFullYear()} wrk</span>
        <ThemeSwitch />
      </div>
    </Overlay>
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
