import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { AccountDetail } from '../../users/page/Avatar'
import type { OwnUser } from '../../users/schema'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { SETUP_OVER, type SignInOptions } from '../limits'
import { LoginPage, SignInFrame } from './LoginPage'
import { FormFailure } from './SignInForms'
import { setupToken, useSetUp } from './signIn'

/** The setup link makes the signed-in user the operator; others sign in or register first. */
export function SetupPage({ options }: { options: SignInOptions }) {
  const { user, error, read } = useOwnUser()
  if (error !== undefined) return <LoadFailed retry={read} error={error} />
  if (options.setup && user === null) return <LoginPage first="register" options={options} />
  return (
    <SignInFrame title="Set up · wrk" supportEmail={options.supportEmail}>
      {options.setup ? user && <Question user={user} /> : <Over />}
    </SignInFrame>
  )
}

/** Undefined until known, null if nobody is signed in. */
function useOwnUser() {
  const [state, setState] = useState<{ user?: OwnUser | null; error?: unknown }>({})
  const read = () =>
    void client.auth.session.query().then(
      (user) => setState({ user }),
      (error: unknown) => setState({ error }),
    )
  const begin = useEffectEvent(read)
  useEffect(() => begin(), [])
  return { ...state, read }
}

function Question({ user }: { user: OwnUser }) {
  const setUp = useSetUp()
  return (
    <>
      <Heading text="The operator sees who has an account, helps people get back in, and looks after email and backups. This link works once.">
        Become this server’s operator?
      </Heading>
      <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 [&>dt]:text-quiet">
        <dt>You</dt>
        <AccountDetail user={user} />
      </dl>
      <FormFailure>{setUp.busy ? undefined : setUp.failure}</FormFailure>
      <div className="flex flex-col gap-2">
        <Button look="primary" busy={setUp.busy} onClick={() => void setUp.run(setupToken() ?? '')}>
          Become the operator
        </Button>
        <Button look="quiet" asChild>
          <a href="/">Not now</a>
        </Button>
      </div>
    </>
  )
}

const Over = () => (
  <>
    <Heading text={SETUP_OVER}>This link no longer works.</Heading>
    <Button asChild>
      <a href="/login">Log In</a>
    </Button>
  </>
)

const Heading = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="flex flex-col gap-3">
    <h1 className="text-balance font-strong">{children}</h1>
    <p className="text-pretty text-quiet">{text}</p>
  </div>
)
