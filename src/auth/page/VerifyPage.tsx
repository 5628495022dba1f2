import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { refusalOf } from '../../web/refusal'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { Spinner } from '../../web/ui/Spinner'
import type { LinkPurpose } from '../schema'
import { toastOnArrival } from './arrivalToast'
import { useSession, verifyQuery } from './cache'
import { askForPassword } from './newPasswordPrompt'
import { type Answer, SignInQuestion } from './SignInQuestion'

/** Where a mail's link leads. A scanner that only fetches the page does not run this, so the link stays valid. */
export function VerifyPage() {
  const [link] = useState(readAddress)
  return link.token ? <Verifying {...link} /> : <Leave to="/login" />
}

function readAddress() {
  const { token = '', remember } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { token, remember: remember === '1' }
}

function Verifying(link: { token: string; remember: boolean }) {
  const { history } = useRouter()
  const user = useSession()
  const [answer, setAnswer] = useState<Answer>()
  const [cancelled, setCancelled] = useState(false)
  const unasked = useQuery(verifyQuery(link))
  const agreed = useQuery({ ...verifyQuery({ ...link, confirmed: true, ...answer }), enabled: !!answer })
  const question = refusalOf(unasked.error)
  const { data, error, isFetching, refetch } = question?.needsConfirmation ? agreed : unasked
  // Removes the token from the history.
  useEffect(() => history.replace('/auth/verify'), [history])
  useEffect(() => {
    if (data) noteArrival(data.purpose, answer)
  }, [data, answer])
  if (data || cancelled) return <Leave to="/" />
  if (error && !isFetching && !isRefused(error)) return <LoadFailed retry={() => void refetch()} />
  if (error && !isFetching) return user ? <StillHere /> : <Leave to="/login?error=verification_failed" />
  if (!question?.needsConfirmation) return <SigningIn />
  return <SignInQuestion {...question} busy={isFetching} onAnswer={setAnswer} onCancel={() => setCancelled(true)} />
}

function noteArrival(purpose: LinkPurpose, answer: Answer | undefined) {
  if (purpose === 'reset') askForPassword()
  else if (answer?.keepPassword === false) toastOnArrival(PASSWORD_REMOVED)
  else if (purpose === 'confirm') toastOnArrival(CONFIRMED)
}

const CONFIRMED = {
  title: 'Email Confirmed',
  description: 'People can now add you to boards by your e-mail, and notifications reach you there.',
}
const PASSWORD_REMOVED = {
  title: 'Password Removed',
  description: 'Your e-mail is confirmed, and everybody else is signed out. “Forgot password?” sets a new one.',
}

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
