import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useServerOptions } from '../../auth/cache'
import { Button } from '../ui/Button'
import { Logo } from '../ui/Logo'
import { ThemeSwitch } from '../ui/ThemeSwitch'

/** The header and footer of every page that needs no account, and the measure between them. */
export const PublicFrame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto flex min-h-full max-w-6xl flex-col px-6 sm:px-8">
    <header className="flex items-center justify-between py-6">
      <Link to="/" aria-label="wrk, to the front page" className="rounded-card">
        <Logo />
      </Link>
      <Button asChild>
        <Link to="/login">Log in</Link>
      </Button>
    </header>
    {children}
    <PublicFooter />
  </div>
)

const LINK = 'inline-flex min-h-6 items-center rounded-card hover:text-text hover:underline'

export const PublicFooter = () => (
  <footer className="mt-auto flex flex-wrap items-center justify-between gap-x-6 gap-y-4 py-6 text-quiet text-small">
    <p>© 2025 wrk</p>
    <nav aria-label="Legal and contact" className="flex flex-wrap gap-x-5 gap-y-2 max-sm:order-last max-sm:w-full">
      <Link to="/terms" className={LINK}>
        Terms
      </Link>
      <Link to="/privacy" className={LINK}>
        Privacy
      </Link>
      <Link to="/refund" className={LINK}>
        Refund
      </Link>
      <ContactLink className={LINK}>Contact</ContactLink>
    </nav>
    <ThemeSwitch />
  </footer>
)

/** A mail to support; shows the address where nothing else is given. */
export function ContactLink({ className, children }: { className?: string; children?: ReactNode }) {
  const address = useServerOptions()?.supportEmail
  return (
    <a href={address && `mailto:${address}`} className={className}>
      {children ?? address}
    </a>
  )
}
