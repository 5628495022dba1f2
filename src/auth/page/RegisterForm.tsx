import { zodResolver } from '@hookform/resolvers/zod'
import type { ChangeEvent } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { type LinkPurpose, normalizeUsername, type Registration, registration } from '../schema'
import { isEmailTaken, useRegister } from './cache'
import { KeepSignedIn } from './KeepSignedIn'
import { PasswordInput } from './PasswordInput'

type Fields = z.input<typeof registration>
type RegisterFields = UseFormReturn<Fields, unknown, Registration>

export const useRegisterFields = (email = ''): RegisterFields =>
  useForm({
    resolver: zodResolver(registration),
    defaultValues: { username: '', email, password: '', name: '', remember: true },
  })

type Props = {
  fields: RegisterFields
  arrive(): void
  logIn(email: string): void
  ask(purpose: LinkPurpose, email: string): void
}

export function RegisterForm({ fields, arrive, logIn, ask }: Props) {
  const typed = () => fields.getValues('email').trim()
  const register = useRegister({ arrive, logIn: () => logIn(typed()), resetPassword: () => ask('reset', typed()) })
  const { errors } = fields.formState
  const submit = fields.handleSubmit((given) =>
    register.mutate(given, {
      onError: (error) => {
        for (const { path, message } of refusedFields(error)) fields.setError(path, { message }, { shouldFocus: true })
      },
    }),
  )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <UsernameField fields={fields} />
      <Field label="Email" error={errors.email?.message}>
        {(tied) => <Input {...tied} {...fields.register('email')} type="email" autoComplete="email" />}
      </Field>
      <Field label="Name (optional)" error={errors.name?.message}>
        {(tied) => <Input {...tied} {...fields.register('name')} autoComplete="name" />}
      </Field>
      <Field label="Password" error={errors.password?.message} hint="At least 6 characters">
        {(tied) => <PasswordInput {...tied} {...fields.register('password')} autoComplete="new-password" />}
      </Field>
      <KeepSignedIn {...fields.register('remember')} />
      <Button type="submit" look="primary" size="large" busy={register.isPending}>
        Create Account
      </Button>
    </form>
  )
}

function UsernameField({ fields }: { fields: RegisterFields }) {
  const username = fields.watch('username')
  const { onChange, ...field } = fields.register('username')
  return (
    <Field
      label="Username"
      error={fields.formState.errors.username?.message}
      hint={`Your profile will be at ${window.location.host}/${username || '…'}`}
    >
      {(tied) => (
        <Input
          {...tied}
          {...field}
          onChange={(event) => {
            strip(event)
            return onChange(event)
          }}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

/** Lowercases and removes spaces while typing, without moving the caret. */
function strip({ currentTarget: input, nativeEvent }: ChangeEvent<HTMLInputElement>) {
  const bare = normalizeUsername(input.value)
  const composing = 'isComposing' in nativeEvent && nativeEvent.isComposing
  if (bare === input.value || composing) return
  const caret = normalizeUsername(input.value.slice(0, input.selectionStart ?? undefined)).length
  input.value = bare
  input.setSelectionRange(caret, caret)
}

const FIELDS = ['username', 'email', 'password', 'name'] as const satisfies (keyof Fields)[]

function refusedFields(error: unknown): { path: (typeof FIELDS)[number]; message: string }[] {
  const refusal = refusalOf(error)
  if (!refusal) return []
  if (isEmailTaken(error)) return [{ path: 'email', message: 'This email address is already registered' }]
  if (refusal.code === 'CONFLICT') return [{ path: 'username', message: refusal.message }]
  return FIELDS.flatMap((path) => {
    const issue = refusal.issues?.find((each) => each.path === path)
    return issue ? [{ path, message: issue.message }] : []
  })
}
