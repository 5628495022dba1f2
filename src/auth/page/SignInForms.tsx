import MailCheck from 'lucide-react/icons/mail-check'
import { type ComponentProps, type FocusEvent, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { normalizeUsername } from '../../users/limits'
import { UsernameInput } from '../../users/page/UsernameInput'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { CONFIRM_HOURS, LINK_MINUTES, LINK_SENT, RESET_SENT } from '../limits'
import { type AskedPurpose, credentials, linkRequest, registration } from '../schema'
import { PasswordInput } from './CredentialFields'
import { isEmailTaken, useForgotPassword, useLogin, useMagicLink, useRegister } from './signIn'

export const FormFailure = ({ children }: { children: string | undefined }) =>
  children && (
    <p role="alert" className="text-pretty text-danger wrap-anywhere">
      {children}
    </p>
  )

const KeepSignedIn = (props: ComponentProps<'input'>) => (
  <label className="flex min-h-6 cursor-pointer items-center gap-2 self-start">
    <input type="checkbox" className="checkbox" {...props} />
    Keep me signed in
  </label>
)

/** A server-rendered form: it adopts what was typed before the script loaded. */
function useEarlyForm(form: { adopt(element: HTMLFormElement): void }) {
  const adopt = useEffectEvent((element: HTMLFormElement) => form.adopt(element))
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (ref.current) adopt(ref.current)
    // A touch keyboard would cover the form.
    const isUntouched = document.activeElement === document.body && window.matchMedia('(hover: hover)').matches
    if (isUntouched) ref.current?.querySelector('input')?.focus()
  }, [])
  const isReady = useSyncExternalStore(unchanging, inBrowser, inHtml)
  return {
    form: { ref, onFocus: (event: FocusEvent<HTMLFormElement>) => form.adopt(event.currentTarget) },
    /** Submitted without the script, the password would be in the address. */
    isReady,
  }
}

const unchanging = () => () => {}
const inBrowser = () => true
const inHtml = () => false

export const useLoginForm = () => useForm(useFields({ username: '', password: '', remember: false }), { schema: credentials })

type Props = {
  form: ReturnType<typeof useLoginForm>
  /** Whether the user returned to it: the focus then goes where typing continues. */
  returned: boolean
  reason: string | undefined
  ask(purpose: AskedPurpose, email: string): void
}

export function LoginForm({ form, returned, reason, ask }: Props) {
  const login = useLogin()
  const early = useEarlyForm(form)
  const { errors, values } = form
  const next = returned && (values.username ? 'password' : 'username')
  const byMail = (purpose: AskedPurpose) => ask(purpose, values.username.includes('@') ? values.username : '')
  return (
    <form {...early.form} onSubmit={form.submit(login.run)} className="flex flex-col gap-4" noValidate>
      <Field label="Username or email" error={errors.username}>
        {(tied) => (
          <Input
            {...tied}
            {...form.text('username')}
            autoFocus={next === 'username'}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Password"
        error={errors.password}
        aside={<TextButton onClick={() => byMail('reset')}>Forgot password?</TextButton>}
      >
        {(tied) => (
          <PasswordInput {...tied} {...form.text('password')} autoFocus={next === 'password'} autoComplete="current-password" />
        )}
      </Field>
      <KeepSignedIn {...form.check('remember')} />
      <FormFailure>{login.busy ? undefined : (login.failure ?? reason)}</FormFailure>
      <Button type="submit" look="primary" disabled={!early.isReady} busy={login.busy}>
        Log In
      </Button>
      <Button look="quiet" onClick={() => byMail('sign-in')}>
        Email me a sign-in link
      </Button>
    </form>
  )
}

const TextButton = ({ onClick, children }: { onClick(): void; children: string }) => (
  <button
    type="button"
    onClick={onClick}
    className="min-h-6 rounded-card text-quiet text-small underline-offset-4 hover:underline"
  >
    {children}
  </button>
)

export const useRegisterForm = (email = '') =>
  useForm(useFields({ username: '', email, password: '', name: '', remember: false }), { schema: registration })

type RegisterFormProps = {
  form: ReturnType<typeof useRegisterForm>
  host: string
  logIn(email: string): void
  ask(purpose: AskedPurpose, email: string): void
  /** The address must be confirmed before signing in. */
  onUnconfirmed(email: string): void
  domains: string[] | null
  invitation: string | undefined
  setup: string | undefined
}

export function RegisterForm({ form, host, logIn, ask, onUnconfirmed, domains, invitation, setup }: RegisterFormProps) {
  const { errors, values } = form
  const early = useEarlyForm(form)
  const typed = values.email.trim()
  const register = useRegister({ logIn: () => logIn(typed), resetPassword: () => ask('reset', typed) }, domains === null)
  const submit = form.submit(async (given) => {
    const { error, answer } = await register.run({ ...given, invitation, setup })
    if (error) form.refuse(refusedFields(error))
    else if (answer) onUnconfirmed(answer.email)
  })
  return (
    <form {...early.form} onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field
        label="Username"
        error={errors.username}
        hint={`Your profile will be at ${host}/${normalizeUsername(values.username) || '…'}`}
      >
        {(tied) => <UsernameInput {...tied} {...form.text('username')} />}
      </Field>
      <Field label="Email" error={errors.email} {...(domains && { hint: `Must be at ${domains.join(' or ')}` })}>
        {(tied) => <Input {...tied} {...form.text('email')} type="email" autoComplete="email" />}
      </Field>
      <Field label="Name (optional)" error={errors.name}>
        {(tied) => <Input {...tied} {...form.text('name')} autoComplete="name" />}
      </Field>
      <Field label="Password" error={errors.password} hint="At least 6 characters">
        {(tied) => <PasswordInput {...tied} {...form.text('password')} autoComplete="new-password" />}
      </Field>
      <KeepSignedIn {...form.check('remember')} />
      {!Object.values(errors).some(Boolean) && <FormFailure>{register.failure}</FormFailure>}
      <Button type="submit" look="primary" disabled={!early.isReady} busy={register.busy}>
        Create account
      </Button>
    </form>
  )
}

const REGISTER_FIELDS = ['username', 'email', 'password', 'name'] as const

function refusedFields(error: unknown): Partial<Record<(typeof REGISTER_FIELDS)[number], string>> {
  const refusal = refusalOf(error)
  if (!refusal) return {}
  if (isEmailTaken(error)) return { email: 'This email address is already registered' }
  if (refusal.code === 'CONFLICT') return { username: refusal.message }
  return Object.fromEntries(
    REGISTER_FIELDS.flatMap((field) => {
      const issue = refusal.issues?.find(({ path }) => path === field)
      return issue ? [[field, issue.message]] : []
    }),
  )
}

type MailFormProps = { purpose: AskedPurpose; email: string; onSent(email: string): void; onBack(): void }

export function MailForm({ purpose, email, onSent, onBack }: MailFormProps) {
  const requests = { 'sign-in': useMagicLink(), reset: useForgotPassword() }
  const request = requests[purpose]
  const form = useForm(useFields({ email, remember: false }), { schema: linkRequest })
  const submit = form.submit(async (given) => {
    const { answer } = await request.run(given)
    if (answer) onSent(given.email)
  })
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Email" error={form.errors.email}>
        {(tied) => <Input {...tied} {...form.text('email')} type="email" autoComplete="email" autoFocus />}
      </Field>
      {purpose === 'sign-in' && <KeepSignedIn {...form.check('remember')} />}
      <FormFailure>{request.failure}</FormFailure>
      <Button type="submit" look="primary" busy={request.busy}>
        {purpose === 'reset' ? 'Send reset link' : 'Email me a link'}
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back to login
      </Button>
    </form>
  )
}

type CheckYourEmailProps = { purpose: AskedPurpose; email: string; isNew: boolean; onBack(): void }

/** Never reveals whether there is an account. */
export const CheckYourEmail = ({ purpose, email, isNew, onBack }: CheckYourEmailProps) => (
  <section className="flex flex-col items-start gap-4" aria-labelledby="check">
    <MailCheck className="size-8 text-quiet" aria-hidden />
    <h1 id="check" ref={focusHeading} tabIndex={-1} className="font-strong outline-none">
      Check Your Email
    </h1>
    {isNew ? <ConfirmAddress email={email} /> : <LinkSent purpose={purpose} email={email} />}
    <Button className="mt-2 self-stretch" onClick={onBack}>
      Return to Login
    </Button>
  </section>
)

const LinkSent = ({ purpose, email }: { purpose: AskedPurpose; email: string }) => (
  <>
    <p className="text-pretty">{purpose === 'reset' ? RESET_SENT : LINK_SENT}</p>
    <p className="text-pretty text-quiet">
      You entered <bdi className="wrap-anywhere text-text">{email}</bdi>. The link works once and expires in {LINK_MINUTES}{' '}
      minutes. If nothing arrives, check your spam folder.
    </p>
  </>
)

const ConfirmAddress = ({ email }: { email: string }) => (
  <>
    <p className="text-pretty">
      Your account is ready. To log in, open the link we emailed to <bdi className="wrap-anywhere">{email}</bdi>.
    </p>
    <p className="text-pretty text-quiet">
      It works once and expires in {CONFIRM_HOURS} hours. If nothing arrives, check your spam folder.
    </p>
  </>
)

/** So that screen readers announce what replaced the form. */
const focusHeading = (heading: HTMLElement | null) => heading?.focus()
