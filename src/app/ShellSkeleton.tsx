import Bell from 'lucide-react/icons/bell'
import Menu from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { SEND_AGAIN_LOOK, UnconfirmedLine } from '../auth/page/UnconfirmedLine'
import { Logo } from '../web/ui/PublicFrame'

export const SHELL = 'flex h-dvh max-lg:flex-col'
export const SIDEBAR = 'hidden w-64 shrink-0 flex-col gap-4 border-line border-r p-3 pt-4 lg:flex'
/** Its first and last items line up with the edges of what is below. */
export const TOP_BAR =
  'flex h-14 shrink-0 items-center justify-between pt-3 pr-4 pl-2 md:gap-2 md:pr-6 md:pl-4 short:h-12 short:pt-1 lg:hidden'
export const MAIN = 'relative flex min-h-0 min-w-0 flex-1 flex-col short:overflow-y-auto focus:outline-none'

const ICONS = { Search, Bell, Menu }

type Props = { unconfirmed?: string | undefined; children?: ReactNode }

/** In the HTML for signed-in users until the app has loaded; `unconfirmed` is an email. */
export const ShellSkeleton = ({ unconfirmed, children }: Props) => (
  <div className={SHELL}>
    <aside className={SIDEBAR} aria-label="Sidebar">
      <div className="flex h-icon items-center justify-between px-2">
        <Logo />
        <Bell className="-mr-px size-4.5 text-quiet" aria-hidden />
      </div>
      <div className="h-control shrink-0 rounded-card bg-surface ring-1 ring-line ring-inset" />
      <div className="skeleton -mt-1 h-40 px-2 [--row:2rem]" />
      <div className="mt-auto h-22.25 shrink-0 border-line border-t" />
    </aside>
    <header className={TOP_BAR}>
      <div className="flex h-icon items-center px-2">
        <Logo />
      </div>
      <div className="flex text-quiet" aria-hidden>
        {Object.entries(ICONS).map(([name, Icon]) => (
          <span key={name} className="grid size-icon place-items-center last:-mr-overhang last:text-text">
            <Icon className="size-4.5" />
          </span>
        ))}
      </div>
    </header>
    <main className={MAIN}>
      {unconfirmed && (
        <UnconfirmedLine email={unconfirmed}>
          <span className={SEND_AGAIN_LOOK}>Send it again</span>
        </UnconfirmedLine>
      )}
      {children}
    </main>
  </div>
)
