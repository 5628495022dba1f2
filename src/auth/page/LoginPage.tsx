import * as Tabs from 'radix-ui/tabs'
import { type ReactNode, useEffect, useState } from 'react'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Logo, PublicFooter, Smart } from '../../web/ui/PublicFrame'
import {
  ACCOUNT_DISABLED,
  BY_INVITATION,
  BY_PROVIDER,
  OPERATOR_UNCONFIRMED,
  REGISTER,
  SIGN_UP_CLOSED,
  type SignInOptions,
  type SignInScreen,
} from '../limits'
import type { AskedPurpose } from '../schema'
import { type Invited, invitationToken, invited } from './returnUrl'
import { CheckYourEmail, FormFailure, LoginForm, MailForm, RegisterForm, useLoginForm, useRegisterForm } from './SignInForms'
import { setupToken, useDevLogin } from './signIn'

/** `sent` follows `forgot-password` and `link`, `registered` follows if the address must be confirmed first. */
type Mode = 'login' | 'register' | 'forgot-password' | 'link' | 'sent' | 'registered'

const WORDS: Record<Mode, { title: string; heading: string }> = {
  login: { title: 'Log in · wrk', heading: 'Pick up where you left off.' },
  register: { title: 'Register · wrk', heading: 'Your first board is free.' },
  'forgot-password': { title: 'Reset password · wrk', heading: 'Forgot your password?' },
  link: { title: 'Sign-in link · wrk', heading: 'Sign in without a password.' },
  sent: { title: 'Check your email · wrk', heading: '' },
  registered: { title: 'Check your email · wrk', heading: '' },
}

type Props = { first: 'login' | 'register'; options: SignInOptions }

/** Works without router and query cache. */
export function LoginPage({ first, options }: Props) {
  const [guest] = useState(invitedHere)
  const invitation = guest ? invitationToken() : undefined
  const setup = options.setup ? setupToken() : undefined
  const mayRegister =
    options.passwords &&
    (options.setup || options.signUp === 'open' || (options.signUp === 'invited' && !!invitation && !!guest?.email))
  const reason = useReasonOfAddress(mayRegister ? first : 'login')
  const [mode, setMode] = useState<Mode>(mayRegister ? (guest?.email ? 'register' : first) : 'login')
  const [mailed, setMailed] = useState<{ purpose: AskedPurpose; email: string }>({ purpose: 'sign-in', email: '' })
  const login = useLoginForm()
  const register = useRegisterForm(guest?.email)
  // Each return moves the focus to the form: the pressed button is gone.
  const [returns, setReturns] = useState(0)
  const show = (next: Mode) => {
    setMode(next)
    setReturns(0)
    window.history.replaceState(null, '', addressOf(next))
  }
  const toLogin = () => {
    setMode('login')
    setReturns((times) => times + 1)
  }
  const logIn = (email: string) => {
    login.type({ username: email })
    toLogin()
  }
  const ask = (purpose: AskedPurpose, email: string) => {
    setMailed({ purpose, email })
    setMode(purpose === 'reset' ? 'forgot-password' : 'link')
  }
  const sent = (email: string, next: Mode = 'sent') => {
    setMailed({ ...mailed, email })
    setMode(next)
  }
  const ways = (
    <>
      <Providers
        providers={options.providers}
        remember={(mode === 'login' ? login : register).values.remember}
        invitation={invitation}
        setup={setup}
        only={!options.passwords}
      />
      {options.devLogin && <DeveloperButton />}
    </>
  )
  return (
    <SignInFrame title={WORDS[mode].title} supportEmail={options.supportEmail}>
      {mode === 'sent' || mode === 'registered' ? (
        <CheckYourEmail {...mailed} isNew={mode === 'registered'} onBack={toLogin} />
      ) : (
        <>
          <h1 className="wrap-anywhere text-balance font-strong">
            <Heading mode={mode} guest={guest} options={options} />
          </h1>
          {options.setup && <p className="-mt-3 text-pretty text-quiet">{NO_OPERATOR}</p>}
          {mode !== 'login' && mode !== 'register' ? (
            <MailForm key={`${mailed.purpose} ${mailed.email}`} {...mailed} onSent={sent} onBack={toLogin} />
          ) : mayRegister ? (
            <Tabs.Root value={mode} onValueChange={(value) => show(value as Mode)} className="flex flex-col gap-6">
              <Tabs.List aria-label="Log in or register" className="grid grid-cols-2 gap-0.5 rounded-card bg-column p-0.5">
                <Tab mode="login">Log In</Tab>
                <Tab mode="register">Register</Tab>
              </Tabs.List>
              <Tabs.Content value="login">
                <LoginForm key={returns} form={login} returned={returns > 0} reason={reason} ask={ask} />
              </Tabs.Content>
              <Tabs.Content value="register">
                <RegisterForm
                  form={register}
                  host={options.host}
                  domains={options.domains}
                  invitation={invitation}
                  setup={setup}
                  logIn={logIn}
                  ask={ask}
                  onUnconfirmed={(email) => sent(email, 'registered')}
                />
              </Tabs.Content>
              {ways}
            </Tabs.Root>
          ) : (
            <>
              {first === 'register' && !options.setup && <NotRegistered signUp={options.signUp} />}
              {options.passwords && <LoginForm key={returns} form={login} returned={returns > 0} reason={reason} ask={ask} />}
              {!options.passwords && <FormFailure>{reason}</FormFailure>}
              {ways}
              {first === 'login' && <NoRegistration signUp={options.signUp} />}
            </>
          )}
        </>
      )}
    </SignInFrame>
  )
}

/** The setup link stays in the address, for a reload. */
const addressOf = (shown: Mode | SignInScreen) =>
  setupToken() ? window.location.pathname + window.location.search : shown === 'register' ? REGISTER : '/login'

/** The server renders it without knowing the user. */
const invitedHere = () => (typeof window === 'undefined' ? null : invited())

const NO_OPERATOR = 'This server has no operator yet. Create an account or log in to become its operator.'

function Heading({
  mode,
  guest,
  options: { setup, supportEmail },
}: {
  mode: Mode
  guest: Invited | null
  options: SignInOptions
}) {
  if (setup && (mode === 'login' || mode === 'register')) return 'Set up your server.'
  if (mode === 'register' && !guest && supportEmail === null) return 'Create your account.'
  if (!guest || (mode !== 'login' && mode !== 'register')) return WORDS[mode].heading
  return (
    <>
      {mode === 'login' ? 'Log in' : 'Create an account'} to join {guest.board ? <bdi>{guest.board}</bdi> : 'the board'}.
    </>
  )
}

const NO_REGISTRATION = { open: undefined, invited: BY_INVITATION, closed: SIGN_UP_CLOSED }

const NotRegistered = ({ signUp }: Pick<SignInOptions, 'signUp'>) => (
  <p role="status" className="text-pretty text-quiet">
    {NO_REGISTRATION[signUp] ?? BY_PROVIDER}
  </p>
)

const NoRegistration = ({ signUp }: Pick<SignInOptions, 'signUp'>) =>
  signUp !== 'open' && <p className="text-pretty text-quiet">{NO_REGISTRATION[signUp]}</p>

const Tab = ({ mode, children }: { mode: Mode; children: string }) => (
  <Tabs.Trigger
    value={mode}
    asChild
    className="grid h-control place-items-center rounded-card font-strong text-quiet hover:text-text data-[state=active]:bg-chosen data-[state=active]:text-text data-[state=active]:shadow-card"
  >
    <a href={addressOf(mode)} onClick={(event) => event.preventDefault()}>
      {children}
    </a>
  </Tabs.Trigger>
)

const ERRORS = new Map([
  ['auth_failed', 'Authentication failed. Please try again with valid credentials.'],
  ['verification_failed', 'This sign-in link is invalid or has expired. Please request a new one.'],
  ['account_disabled', ACCOUNT_DISABLED],
  ['operator_unconfirmed', OPERATOR_UNCONFIRMED],
  ['no_account', 'You have no account here and cannot create one yourself. Please ask this server’s operator for one.'],
  ['session_expired', 'Your session has expired. Please log in again.'],
])

/** The error in the address, shown once. */
function useReasonOfAddress(shown: SignInScreen): string | undefined {
  const [reason, setReason] = useState<string>()
  useEffect(() => {
    const error = new URLSearchParams(window.location.search).get('error')
    window.history.replaceState(null, '', addressOf(shown))
    if (error === null) return
    if (error === 'signed_out') {
      toast({ title: 'Logged Out', description: 'You logged out in another tab.' })
      return
    }
    const description = ERRORS.get(error) ?? 'An error occurred during login.'
    setReason(description)
    toast({ variant: 'destructive', title: 'Login Failed', description })
  }, [shown])
  return reason
}

type ProvidersProps = Pick<SignInOptions, 'providers'> & {
  remember: boolean
  invitation: string | undefined
  setup: string | undefined
  only?: boolean
}

function Providers({ providers, remember, invitation, setup, only }: ProvidersProps) {
  if (providers.length === 0) return null
  const wishes = new URLSearchParams({
    ...(remember && { remember: '1' }),
    ...(invitation && { invitation }),
    ...(setup && { setup }),
  }).toString()
  return (
    <div className="flex flex-col gap-3">
      {!only && <Or />}
      {providers.map(({ id, name }) => (
        <Button key={id} asChild look={only ? 'primary' : 'plain'}>
          <a href={`/api/auth/oauth/${id}${wishes && `?${wishes}`}`}>Continue with {name}</a>
        </Button>
      ))}
    </div>
  )
}

const Or = () => (
  <p className="flex items-center gap-3 text-quiet text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    or
  </p>
)

function DeveloperButton() {
  const login = useDevLogin()
  return (
    <Button busy={login.busy} onClick={() => void login.run()}>
      Continue as developer
    </Button>
  )
}

export const SignInFrame = ({
  title,
  supportEmail,
  children,
}: {
  title: string
  supportEmail: string | null
  children: ReactNode
}) => (
  <div className="grid min-h-full grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(35rem,1fr)]">
    <title>{title}</title>
    <Poster />
    <div className="flex flex-col gap-10 px-6 pt-6 sm:px-8 lg:px-12">
      <header className="flex min-h-10 items-center lg:hidden">
        <HomeLink />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col gap-6 sm:max-lg:pt-[8vh] sm:max-lg:low:pt-4 lg:pt-5">
        {children}
      </main>
      <PublicFooter supportEmail={supportEmail} />
    </div>
  </div>
)

const HomeLink = () => (
  <a href="/" aria-label="wrk home page" className="w-fit rounded-card">
    <Logo />
  </a>
)

const Poster = () => (
  <aside className="sticky top-0 hidden h-dvh flex-col justify-between bg-column p-12 pt-12.25 lg:flex">
    <HomeLink />
    <p aria-hidden className="-ml-[0.02em] font-strong text-[clamp(5rem,11vw,11rem)] leading-[0.86] tracking-display">
      wrk
      <br />
      <Smart />
    </p>
  </aside>
)
