import { useEffect, useEffectEvent, useState } from 'react'
import type { OwnUser } from '../../users/schema'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { LONG } from '../../web/toast'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { Spinner } from '../../web/ui/Spinner'
import type { SignInOptions } from '../basics'
import type { LinkPurpose } from '../schema'
import { toastOnArrival } from './arrivalToast'
import { askForPassword } from './newPasswordPrompt'
import { type Answer, SignInQuestion } from './SignInQuestion'
import { followWayBack } from './wayBack'

/** Where a mail's link leads. A scanner that only fetches the page does not run this, so the link stays valid. */
export function VerifyPage({ options: { supportEmail } }: { options: SignInOptions }) {
  const [link] = useState(readAddress)
  if (!link) return <SigningIn />
  return link.token ? <Verifying link={link} supportEmail={supportEmail} /> : <Leave to="/login" />
}

/** Null where the HTML is made. */
function readAddress(): Link | null {
  if (typeof window === 'undefined') return null
  const { token = '', remember } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { token, remember: remember === '1' }
}

type Link = { token: string; remember: boolean }

function Verifying({ link, supportEmail }: { link: Link; supportEmail: string }) {
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
  if (isOfChange(error)) return <NotChanged reason={refusalOf(error)?.message ?? ''} />
  if (!isRefused(error)) return <LoadFailed retry={() => void verify(answer)} error={error} />
  return user ? <StillHere /> : <Leave to="/login?error=verification_failed" />
}

/** Uses the link at once, and again with what was answered to the server's question. */
function useVerification(link: Link) {
  const [state, setState] = useState<{ verified?: true; error?: unknown; user?: OwnUser | null; answer?: Answer }>({})
  const [busy, setBusy] = useState(true)
  const verify = async (answer: Answer | undefined) => {
    setBusy(true)
    try {
      const { purpose } = await client.auth.verify.mutate({ ...link, ...(answer && { confirmed: true, ...answer }) })
      noteArrival(purpose, answer)
      followWayBack()
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

function noteArrival(purpose: LinkPurpose, answer: Answer | undefined) {
  if (purpose === 'reset') askForPassword()
  else if (answer?.keepPassword === false) toastOnArrival(PASSWORD_REMOVED)
  else if (purpose === 'confirm') toastOnArrival(CONFIRMED)
  else if (purpose === 'change') toastOnArrival(CHANGED)
}

const CONFIRMED = {
  title: 'Email Confirmed',
  description: 'People can now add you to boards by your email, and notifications reach you there.',
}
const CHANGED = { title: 'Email Changed', description: 'You sign in with your new email from now on, and mails go there.' }
const PASSWORD_REMOVED = {
  title: 'Password Removed',
  description: 'Your email is confirmed, and everybody else is signed out. “Forgot password?” sets a new one.',
}

/** Of a link that changes an email. */
const isOfChange = (error: unknown) => ['FORBIDDEN', 'CONFLICT'].includes(refusalOf(error)?.code ?? '')

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

/** Leads home who is signed in, as somebody else. */
function NotChanged({ reason }: { reason: string }) {
  useEffect(
    () => toastOnArrival({ variant: 'destructive', title: 'Email Not Changed', description: reason, duration: LONG }),
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
  description: 'It was used already, or is too old. You are signed in as before.',
} as const

/** A full load, so that nothing of a former user stays in memory. */
function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to])
  return <SigningIn />
}
