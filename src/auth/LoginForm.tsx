import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../web/ui/Button'
import { Field, Input } from '../web/ui/Field'
import { useLogin } from './cache'
import { type Credentials, credentials } from './inputs'
import { KeepSignedIn } from './KeepSignedIn'
import { PasswordInput } from './PasswordInput'

type LoginFields = UseFormReturn<z.input<typeof credentials>, unknown, Credentials>

/** Held by the page, so that what was typed outlives a look at the other tab. */
export const useLoginFields = (): LoginFields =>
  useForm({ resolver: zodResolver(credentials), defaultValues: { username: '', password: '', remember: true } })

export function LoginForm({ fields, arrive }: { fields: LoginFields; arrive(): void }) {
  const login = useLogin({ arrive })
  const { errors } = fields.formState
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
      <Field label="Password" error={errors.password?.message}>
        {(tied) => <PasswordInput {...tied} {...fields.register('password')} autoComplete="current-password" />}
      </Field>
      <KeepSignedIn {...fields.register('remember')} />
      <Button type="submit" look="primary" size="large" busy={login.isPending}>
        Log In
      </Button>
    </form>
  )
}
