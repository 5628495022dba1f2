import type { ReactNode } from 'react'
import { Button } from './Button'
import { ThemeSwitch } from './ThemeSwitch'

/** `supportEmail` is null on a server without plans, which offers no support. */
type Contact = { supportEmail: string | null | undefined }

/** The frame of pages that need no account. Plain links, because the public pages and the app are separate documents. */
export const PublicFrame = ({
  supportEmail,
  isSignedIn = false,
  children,
}: Contact & { isSignedIn?: boolean; children: ReactNode }) => (
  <div className="mx-auto flex min-h-full max-w-6xl flex-col px-6 sm:px-8">
    <header className="flex items-center justify-between py-6">
      <a href="/" aria-label="wrk home page" className="rounded-card">
        <Logo />
      </a>
      <Button asChild>{isSignedIn ? <a href="/">Dashboard</a> : <a href="/login">Log in</a>}</Button>
    </header>
    {children}
    <PublicFooter supportEmail={supportEmail} />
  </div>
)

/** The end of “wrk smart.” in large sizes, where r and t would be slightly too far apart. */
export const Smart = () => (
  <>
    sma<span className="tracking-kern">r</span>t<span className="text-accent">.</span>
  </>
)

const LINK = 'inline-flex min-h-6 items-center rounded-card hover:text-text hover:underline'

export const PublicFooter = ({ supportEmail }: Contact) => (
  <footer className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-4 py-6 text-quiet text-small">
    <p suppressHydrationWarning>© 2025–{new Date().getFullYear()} wrk</p>
    <div className="contents grow items-center justify-between gap-4 sm:flex">
      <nav aria-label="Legal and contact" className="flex flex-wrap gap-x-3.5 gap-y-2 max-sm:order-last max-sm:w-full">
        <a href="/terms" className={LINK}>
          Terms
        </a>
        <a href="/privacy" className={LINK}>
          Privacy
        </a>
        {supportEmail !== null && (
          <>
            <a href="/refund" className={LINK}>
              Refund
            </a>
            <a href={supportEmail && `mailto:${supportEmail}`} className={LINK}>
              Contact
            </a>
          </>
        )}
        <SourceLink />
      </nav>
      <ThemeSwitch />
    </div>
  </footer>
)

/** The licence lets every user have the source. */
export const SourceLink = () => (
  <a href="/api/source" className={LINK}>
    Source (AGPL-3.0)
  </a>
)

export const Logo = ({ className = 'text-title' }: { className?: string }) => (
  <span className={`font-strong tracking-tight ${className}`}>
    wrk<span className="text-accent">.</span>
  </span>
)
