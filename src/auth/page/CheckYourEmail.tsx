import { MailCheck } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { LINK_MINUTES, LINK_SENT, RESET_SENT } from '../basics'
import type { AskedPurpose } from '../schema'

/** Says the same whether or not there is an account. */
export const CheckYourEmail = ({ purpose, email, onBack }: { purpose: AskedPurpose; email: string; onBack(): void }) => (
  <section className="flex flex-col items-start gap-4" aria-labelledby="check">
    <MailCheck className="size-8 text-quiet" aria-hidden />
    <h1 id="check" ref={focus} tabIndex={-1} className="font-strong text-title outline-none">
      Check Your Email
    </h1>
    <p className="text-pretty">{purpose === 'reset' ? RESET_SENT : LINK_SENT}</p>
    <p className="text-pretty text-quiet">
      We looked for an account of <bdi className="wrap-anywhere text-text">{email}</bdi>. The link works once, within{' '}
      {LINK_MINUTES} minutes; if nothing comes, look into the spam folder.
    </p>
    <Button size="large" className="mt-2 self-stretch" onClick={onBack}>
      Return to Login
    </Button>
  </section>
)

/** Moves the focus from the form that is gone, so that screen readers announce what replaced it. */
const focus = (heading: HTMLElement | null) => heading?.focus()
