import { MailCheck } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { CONFIRM_HOURS, LINK_MINUTES, LINK_SENT, RESET_SENT } from '../basics'
import type { AskedPurpose } from '../schema'

type Props = { purpose: AskedPurpose; email: string; isNew: boolean; onBack(): void }

/** Says the same whether or not there is an account. */
export const CheckYourEmail = ({ purpose, email, isNew, onBack }: Props) => (
  <section className="flex flex-col items-start gap-4" aria-labelledby="check">
    <MailCheck className="size-8 text-quiet" aria-hidden />
    <h1 id="check" ref={focus} tabIndex={-1} className="font-strong text-title outline-none">
      Check Your Email
    </h1>
    {isNew ? <Confirm email={email} /> : <Asked purpose={purpose} email={email} />}
    <Button size="large" className="mt-2 self-stretch" onClick={onBack}>
      Return to Login
    </Button>
  </section>
)

const Asked = ({ purpose, email }: { purpose: AskedPurpose; email: string }) => (
  <>
    <p className="text-pretty">{purpose === 'reset' ? RESET_SENT : LINK_SENT}</p>
    <p className="text-pretty text-quiet">
      We looked for an account of <bdi className="wrap-anywhere text-text">{email}</bdi>. The link works once, within{' '}
      {LINK_MINUTES} minutes; if nothing comes, look into the spam folder.
    </p>
  </>
)

const Confirm = ({ email }: { email: string }) => (
  <>
    <p className="text-pretty">
      Your account is there. To sign in, open the link that we mailed to <bdi className="wrap-anywhere">{email}</bdi>.
    </p>
    <p className="text-pretty text-quiet">
      It works once, within {CONFIRM_HOURS} hours; if nothing comes, look into the spam folder.
    </p>
  </>
)

/** Moves the focus from the form that is gone, so that screen readers announce what replaced it. */
const focus = (heading: HTMLElement | null) => heading?.focus()
