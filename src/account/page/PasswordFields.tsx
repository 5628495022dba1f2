import type { ReactNode } from 'react'
import { PasswordInput } from '../../auth/page/PasswordInput'
import { refusalOf } from '../../web/trpc'
import { Field } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { passwordChange } from '../schema'
import { useSetPassword } from './cache'

type Props = {
  username: string
  /** Whether the old password is asked for. */
  withCurrent: boolean
  onDone(): void
  /** The buttons, told whether it is being saved. */
  children(busy: boolean): ReactNode
}

/** Sets a new password; what was typed stays until that is done. */
export function PasswordFields({ username, withCurrent, onDone, children }: Props) {
  const change = useSetPassword()
  const form = useForm(useFields({ newPassword: '', currentPassword: '' }), { schema: passwordChange })
  const submit = form.submit(({ newPassword, currentPassword }) =>
    change.mutate(withCurrent ? { newPassword, currentPassword } : { newPassword }, {
      onSuccess: () => {
        form.discard()
        onDone()
      },
      onError: (error) => {
        const refusal = refusalOf(error)
        // The time of the reset link is over: what asks for no old password is of no use any more.
        if (!withCurrent && refusal?.code === 'BAD_REQUEST') onDone()
        if (withCurrent && refusal?.code === 'FORBIDDEN') form.refuse({ currentPassword: refusal.message })
      },
    }),
  )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* For the browser's password manager, which wants to know whose password it is. */}
      <input type="text" value={username} autoComplete="username" readOnly hidden />
      {withCurrent && (
        <Field label="Current Password" error={form.errors.currentPassword}>
          {(tied) => <PasswordInput {...tied} {...form.text('currentPassword')} autoComplete="current-password" />}
        </Field>
      )}
      <Field label="New Password" error={form.errors.newPassword} hint="At least 6 characters">
        {(tied) => <PasswordInput {...tied} {...form.text('newPassword')} autoComplete="new-password" />}
      </Field>
      {children(change.isPending)}
    </form>
  )
}
