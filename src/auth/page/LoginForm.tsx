import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { type AskedPurpose, credentials } from '../schema'
import { FormFailure } from './FormFailure'
import { KeepSignedIn } from './KeepSignedIn'
import { PasswordInput } from './PasswordInput'
import { useLogin } from './signIn'
import { useEarlyForm } from './useEarlyForm'

export const useLoginForm = () => useForm(useFields({ username: '', password: '', remember: false }), { schema: credentials })

type Props = {
  form: ReturnType<typeof useLoginForm>
  /** Whether one came back to it: the focus goes on where typing does. */
  returned: boolean
  /** Why the address led here. */
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
      <Field label="Password" error={errors.password} aside={<Aside onClick={() => byMail('reset')}>Forgot password?</Aside>}>
        {(tied) => (
          <PasswordInput {...tied} {...form.text('password')} autoFocus={next === 'password'} autoComplete="current-password" />
        )}
      </Field>
      <KeepSignedIn {...form.check('remember')} />
      <FormFailure>{login.busy ? undefined : (login.failure ?? reason)}</FormFailure>
      <Button type="submit" look="primary" size="large" disabled={!early.isReady} busy={login.busy}>
        Log In
      </Button>
      <Button look="quiet" onClick={() => byMail('sign-in')}>
        Email me a sign-in link
      </Button>
    </form>
  )
}

const Aside = ({ onClick, children }: { onClick(): void; children: string }) => (
  <button
    type="button"
    onClick={onClick}
    className="min-h-6 rounded-card text-quiet text-small underline-offset-4 hover:underline"
  >
    {children}
  </button>
)
