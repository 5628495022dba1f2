import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { PasswordInput } from '../../auth/page/PasswordInput'
import { refusalOf } from '../../web/refusal'
import { Field } from '../../web/ui/Field'
import { type PasswordChange, passwordChange } from '../schema'
import { useSetPassword } from './cache'

type Props = {
  username: string
  withCurrent: boolean
  onDone(): void
  children(busy: boolean): ReactNode
}

export function PasswordFields({ username, withCurrent, onDone, children }: Props) {
  const change = useSetPassword()
  const fields = useForm<z.input<typeof passwordChange>, unknown, PasswordChange>({
    resolver: zodResolver(passwordChange),
    defaultValues: { newPassword: '', ...(withCurrent && { currentPassword: '' }) },
  })
  const { errors } = fields.formState
  const submit = fields.handleSubmit((given) =>
    change.mutate(given, {
      onSuccess: () => {
        fields.reset()
        onDone()
      },
      onError: (error) => {
        const refusal = refusalOf(error)
        // The reset link has expired, so the form without the old password no longer works.
        if (!withCurrent && refusal?.code === 'BAD_REQUEST') onDone()
        if (withCurrent && refusal?.code === 'FORBIDDEN')
          fields.setError('currentPassword', { message: refusal.message }, { shouldFocus: true })
      },
    }),
  )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* Tells the browser's password manager whose password it is. */}
      <input type="text" value={username} autoComplete="username" readOnly hidden />
      {withCurrent && (
        <Field label="Current Password" error={errors.currentPassword?.message}>
          {(tied) => <PasswordInput {...tied} {...fields.register('currentPassword')} autoComplete="current-password" />}
        </Field>
      )}
      <Field label="New Password" error={errors.newPassword?.message} hint="At least 6 characters">
        {(tied) => <PasswordInput {...tied} {...fields.register('newPassword')} autoComplete="new-password" />}
      </Field>
      {children(change.isPending)}
    </form>
  )
}
