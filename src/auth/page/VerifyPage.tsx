import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { refusalOf } from '../../web/refusal'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { Spinner } from '../../web/ui/Spinner'
import { verifyQuery } from './cache'
import { askForPassword } from './newPasswordPrompt'

/** Where a mail's link leads. A scanner that only fetches the page does not run this, so the link stays valid. */
export function VerifyPage() {
  const [{ token, remember }] = useState(readAddress)
  return token ? <Verifying token={token} remember={remember} /> : <Leave to="/login" />
}

function readAddress() {
  const { token = '', remember } = Object.fromEntries(new URLSearchParams(window.location.search))
  return { token, remember: remember === '1' }
}

function Verifying({ token, remember }: { token: string; remember: boolean }) {
  const { history } = useRouter()
  const { data, error, isFetching, refetch } = useQuery(verifyQuery(token, remember))
  // Removes the token from the history.
  useEffect(() => history.replace('/auth/verify'), [history])
  useEffect(() => {
    if (data?.purpose === 'reset') askForPassword()
  }, [data])
  if (data) return <Leave to="/" />
  if (error && !isFetching && !isRefused(error)) return <LoadFailed retry={() => void refetch()} />
  if (error && !isFetching) return <Leave to="/login?error=verification_failed" />
  return <SigningIn />
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

/** A full load, so that nothing of a former user stays in memory. */
function Leave({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to])
  return <SigningIn />
}
