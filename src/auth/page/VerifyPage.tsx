import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { AccountDetail } from '../../users/page/Avatar'
import type { OwnUser } from '../../users/schema'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { LONG_SHOWN_FOR } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { Logo, PublicFooter } from '../../web/ui/PublicFrame'
import { Spinner } from '../../web/ui/Spinner'
import type { SignInOptions } from '../limits'
import type { LinkPurpose } from '../schema'
import { followReturnUrl } from './returnUrl'
import { keepPasswordPrompt, toastOnArrival } from './signIn'

/** Links in emails lead here. Link scanners run no script, so the link stays valid. */
export function VerifyPage({ options: { supportEmail } }: { options: SignInOptions }) {
  const [link] = useState(readAddress)
  if (!link) return <SigningIn />
  return link.token ? <Verifying link={link} supportEmail={supportEmail} /> : <Leave to="/login" />
}

function readAddress(): Link | null {
  if (typeof window === 'undefined') return null
  const { token = '', remember } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { token, remember: remember === '1' }
}

type Link = { token: string; remember: boolean }

function Verifying({ link, supportEmail }: { link: Link; supportEmail: string | null }) {
  const { verified, error, user, answer, busy, verify } = useVerification(link)
  const [cancelled, setCancelled] = useState(false)
  // Removes the token from the history.
  useEffect(() => window.history.replaceState(null, '', '/auth/verify'), [])
  const question = refusalOf(error)
  if (verified || cancelled) return <Leave to="/" />
  if (!error) return <SigningIn />
  if (question?.needsConfirmation)
    return (
      <SignInQuestion
        {...question}
        user={user}
        supportEmail={supportEmail}
        busy={busy}
        onAnswer={(given) => void verify(given)}
        onCancel={() => setCancelled(true)}
      />
    )
  if (isExplained(error)) return <LinkRefused reason={refusalOf(error)?.message ?? ''} />
  if (!isRefused(error)) return <LoadFailed retry={() => void verify(answer)} error={error} />
  return user ? <StillHere /> : <Leave to="/login?error=verification_failed" />
}

/** Uses the link at once, and again with the user's answer. */
function useVerification(link: Link) {
  const [state, setState] = useState<{ verified?: true; error?: unknown; user?: OwnUser | null; answer?: SignInAnswer }>({})
  const [busy, setBusy] = useState(true)
  const verify = async (answer: SignInAnswer | undefined) => {
    setBusy(true)
    try {
      const { purpose, passwordRemoved } = await client.auth.verify.mutate({
        ...link,
        ...(answer && { confirmed: true, ...answer }),
      })
      noteArrival(purpose, passwordRemoved)
      followReturnUrl()
      setState({ verified: true })
    } catch (error) {
      console.warn('The link was refused', error)
      const user = await client.auth.session.query().catch(() => null)
      setState({ error, user, ...(answer && { answer }) })
    }
    setBusy(false)
  }
  const begin = useEffectEvent(() => void verify(undefined))
  useEffect(() => begin(), [])
  return { ...state, busy, verify }
}

function noteArrival(purpose: LinkPurpose, passwordRemoved: boolean) {
  if (purpose === 'reset') keepPasswordPrompt()
  else if (passwordRemoved) toastOnArrival(PASSWORD_REMOVED)
  else if (purpose === 'confirm') toastOnArrival(CONFIRMED)
  else if (purpose === 'change') toastOnArrival(CHANGED)
}

const CONFIRMED = {
  title: 'Email Confirmed',
  description: 'People can now use this address to add you to boards, and your notifications go there.',
}
const CHANGED = { title: 'Email Changed', description: 'You now sign in with your new email, and notifications go there.' }
const PASSWORD_REMOVED = {
  title: 'Password Removed',
  description:
    'Your email is confirmed, and every other browser was logged out. To set a new password, open “Sign-in & security” on your profile.',
}

const isExplained = (error: unknown) => ['FORBIDDEN', 'CONFLICT'].includes(refusalOf(error)?.code ?? '')

/** Any other failure leaves the link valid. */
const isRefused = (error: unknown) => ['UNAUTHORIZED', 'BAD_REQUEST'].includes(refusalOf(error)?.code ?? '')

const SigningIn = () => (
  <main className="grid h-dvh place-items-center">
    <title>Signing in · wrk</title>
    <p className="flex items-center gap-3" role="status">
      <Spinner />
      Signing you in…
    </p>
  </main>
)

function LinkRefused({ reason }: { reason: string }) {
  useEffect(
    () =>
      toastOnArrival({
        variant: 'destructive',
        title: 'Link Not Accepted',
        description: reason,
        duration: LONG_SHOWN_FOR,
      }),
    [reason],
  )
  return <Leave to="/login" />
}

function StillHere() {
  useEffect(() => toastOnArrival(OVER), [])
  return <Leave to="/" />
}

const OVER = {
  variant: 'destructive',
  title: 'Link No Longer Valid',
  description: 'It was already used or has expired. You are still signed in.',
} as const

/** A full load leaves nothing of a former user in memory. */
function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to])
  return <SigningIn />
}

type SignInAnswer = { keepPassword?: boolean }

type Props = {
  username?: string
  hasPassword?: true
  user: OwnUser | null | undefined
  supportEmail: string | null
  busy: boolean
  onAnswer(answer: SignInAnswer): void
  onCancel(): void
}

function SignInQuestion({ username = '', hasPassword, user, supportEmail, busy, onAnswer, onCancel }: Props) {
  const [keepPassword, setKeepPassword] = useState<boolean>()
  return (
    <Framed supportEmail={supportEmail}>
      <div className="flex flex-col gap-2">
        <h1 ref={focusHeading} tabIndex={-1} className="wrap-anywhere text-balance font-strong outline-none">
          Sign in as <bdi>{username}</bdi>?
        </h1>
        <p className="text-pretty text-quiet">
          {user
            ? 'This link is for a different account than the one you are using here.'
            : 'This link signs you in to wrk in this browser. Continue only if the account is yours.'}
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
          <Button type="submit" look="primary" busy={busy}>
            Sign in
          </Button>
          <Button look="quiet" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </Framed>
  )
}

/** So that screen readers read the question. */
const focusHeading = (heading: HTMLElement | null) => heading?.focus()

const NowAndThen = ({ user, username }: { user: OwnUser; username: string }) => (
  <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-3 [&>dt]:text-quiet">
    <dt>Now</dt>
    <AccountDetail user={user} />
    <dt>After signing in</dt>
    <dd>
      <bdi className="font-strong">{username}</bdi>
    </dd>
  </dl>
)

const Framed = ({ supportEmail, children }: { supportEmail: string | null; children: ReactNode }) => (
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

type PasswordChoiceProps = { keep: boolean | undefined; onChange(keep: boolean): void }

const PasswordChoice = ({ keep, onChange }: PasswordChoiceProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="font-strong">Keep this account’s password?</legend>
    <p className="mt-1 text-pretty text-quiet">
      This email has not been confirmed until now, so someone else may have set the password.
    </p>
    <Choice chosen={keep === true} choose={() => onChange(true)} text="Choose this if you created the account yourself.">
      Keep it
    </Choice>
    <Choice
      chosen={keep === false}
      choose={() => onChange(false)}
      text="Logs out every other browser. You can set a new password later."
    >
      Remove it
    </Choice>
  </fieldset>
)

type ChoiceProps = { chosen: boolean; choose(): void; text: string; children: string }

const Choice = ({ chosen, choose, text, children }: ChoiceProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-card p-3 ring-1 ring-edge ring-inset has-checked:ring-2 has-checked:ring-text">
    <input
      type="radio"
      name="password"
      required
      checked={chosen}
      onChange={choose}
      className="mt-0.5 size-4 shrink-0 accent-text"
    />
    <span className="flex flex-col">
      <span className="font-strong">{children}</span>
      <span className="text-pretty text-quiet text-small">{text}</span>
    </span>
  </label>
)
