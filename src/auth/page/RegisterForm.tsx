import { normalizeUsername } from '../../users/basics'
import { UsernameInput } from '../../users/page/UsernameInput'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { type AskedPurpose, registration } from '../schema'
import { FormFailure } from './FormFailure'
import { KeepSignedIn } from './KeepSignedIn'
import { PasswordInput } from './PasswordInput'
import { isEmailTaken, useRegister } from './signIn'
import { useEarlyForm } from './useEarlyForm'

export const useRegisterForm = (email = '') =>
  useForm(useFields({ username: '', email, password: '', name: '', remember: false }), { schema: registration })

type Props = {
  form: ReturnType<typeof useRegisterForm>
  host: string
  logIn(email: string): void
  ask(purpose: AskedPurpose, email: string): void
  /** Where the address is proven before one is signed in. */
  onUnconfirmed(email: string): void
  domains: string[] | null
  invitation: string | undefined
  setup: string | undefined
}

export function RegisterForm({ form, host, logIn, ask, onUnconfirmed, domains, invitation, setup }: Props) {
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
      <Field label="Email" error={errors.email} {...(domains && { hint: `At ${domains.join(' or ')}` })}>
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
      <Button type="submit" look="primary" size="large" disabled={!early.isReady} busy={register.busy}>
        Create Account
      </Button>
    </form>
  )
}

const FIELDS = ['username', 'email', 'password', 'name'] as const

/** What the server's refusal says of which fields. */
function refusedFields(error: unknown): Partial<Record<(typeof FIELDS)[number], string>> {
  const refusal = refusalOf(error)
  if (!refusal) return {}
  if (isEmailTaken(error)) return { email: 'This email address is already registered' }
  if (refusal.code === 'CONFLICT') return { username: refusal.message }
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const issue = refusal.issues?.find(({ path }) => path === field)
      return issue ? [[field, issue.message]] : []
    }),
  )
}
