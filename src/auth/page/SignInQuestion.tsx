import { type ReactNode, useState } from 'react'
import { AccountDetail } from '../../users/page/AccountDetail'
import type { OwnUser } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Logo } from '../../web/ui/Logo'
import { PublicFooter } from '../../web/ui/PublicFrame'
import { PasswordChoice } from './PasswordChoice'

export type Answer = { keepPassword?: boolean }

type Props = {
  username?: string
  hasPassword?: true
  /** Who is signed in here already. */
  user: OwnUser | null | undefined
  supportEmail: string
  busy: boolean
  onAnswer(answer: Answer): void
  onCancel(): void
}

export function SignInQuestion({ username = '', hasPassword, user, supportEmail, busy, onAnswer, onCancel }: Props) {
  const [keepPassword, setKeepPassword] = useState<boolean>()
  return (
    <Framed supportEmail={supportEmail}>
      <div className="flex flex-col gap-2">
        <h1 ref={focus} tabIndex={-1} className="wrap-anywhere text-balance font-strong text-title outline-none">
          Sign in as <bdi>{username}</bdi>?
        </h1>
        <p className="text-pretty text-quiet">
          {user
            ? 'The link that you opened is for another account than the one in use here.'
            : 'The link that you opened signs this browser in. Go on only if the account is yours.'}
        </p>
      </div>
      {user && <NowAndThen user={user} username={username} />}
      <form
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          onAnswer(keepPassword === undefined ? {} : { keepPassword })
        }}
      >
        {hasPassword && <PasswordChoice keep={keepPassword} onChange={setKeepPassword} />}
        <div className="flex flex-col gap-2">
          <Button type="submit" look="primary" size="large" busy={busy}>
            Sign In
          </Button>
          <Button look="quiet" size="large" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </Framed>
  )
}

/** Moves the focus from what is gone, so that screen readers read the question. */
const focus = (heading: HTMLElement | null) => heading?.focus()

const NowAndThen = ({ user, username }: { user: OwnUser; username: string }) => (
  <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-3 [&>dt]:text-quiet">
    <dt>Now</dt>
    <AccountDetail user={user} />
    <dt>Then</dt>
    <dd>
      <bdi className="font-strong">{username}</bdi>
    </dd>
  </dl>
)

const Framed = ({ supportEmail, children }: { supportEmail: string; children: ReactNode }) => (
  <div className="mx-auto flex min-h-full max-w-6xl flex-col px-6 sm:px-8">
    <title>Sign in? · wrk</title>
    <header className="py-6">
      <Logo />
    </header>
    <main className="mx-auto flex w-full max-w-md flex-1 flex-col pt-[6vh] pb-16">
      <section className="flex flex-col gap-6 rounded-panel bg-surface p-6 shadow-card sm:p-8">{children}</section>
    </main>
    <PublicFooter supportEmail={supportEmail} />
  </div>
)
