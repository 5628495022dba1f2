import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { type Credentials, credentials, type LinkPurpose } from '../schema'
import { useLogin } from './cache'
import { KeepSignedIn } from './KeepSignedIn'
import { PasswordInput } from './PasswordInput'

type LoginFields = UseFormReturn<z.input<typeof credentials>, unknown, Credentials>

export const useLoginFields = (): LoginFields =>
  useForm({ resolver: zodResolver(credentials), defaultValues: { username: '', password: '', remember: true } })

type Props = { fields: LoginFields; arrive(): void; ask(purpose: LinkPurpose, email: string): void }

export function LoginForm({ fields, arrive, ask }: Props) {
  const login = useLogin({ arrive })
  const { errors } = fields.formState
  const byMail = (purpose: LinkPurpose) => {
    const typed = fields.getValues('username')
    ask(purpose, typed.includes('@') ? typed : '')
  }
  return (
    <form onSubmit={fields.handleSubmit((given) => login.mutate(given))} className="flex flex-col gap-4" noValidate>
      <Field label="Username or email" error={errors.username?.message}>
        {(tied) => (
          <Input
            {...tied}
            {...fields.register('username')}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        aside={<Aside onClick={() => byMail('reset')}>Forgot password?</Aside>}
      >
        {(tied) => <PasswordInput {...tied} {...fields.register('password')} autoComplete="current-password" />}
      </Field>
      <KeepSignedIn {...fields.register('remember')} />
      <Button type="submit" look="primary" size="large" busy={login.isPending}>
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
