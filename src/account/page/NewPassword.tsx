import { type ReactNode, useEffect } from 'react'
import { PasswordInput } from '../../auth/page/CredentialFields'
import { forgetPasswordPrompt } from '../../auth/page/signIn'
import { useViewer } from '../../users/page/viewer'
import { lazySchema } from '../../web/lazyComponent'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { useSetPassword } from './cache'

const useSchema = lazySchema(() => import('../schema').then((module) => module.passwordChange))

type Props = {
  username: string
  withCurrent: boolean
  onDone(): void
  children(busy: boolean): ReactNode
}

export function PasswordFields({ username, withCurrent, onDone, children }: Props) {
  const change = useSetPassword()
  const form = useForm(useFields({ newPassword: '', currentPassword: '' }), { schema: useSchema() })
  const submit = form.submit(({ newPassword, currentPassword }) =>
    change.mutate(withCurrent ? { newPassword, currentPassword } : { newPassword }, {
      onSuccess: () => {
        form.discard()
        onDone()
      },
      onError: (error) => {
        const refusal = refusalOf(error)
        const newPassword = refusal?.issues?.find(({ path }) => path === 'newPassword')?.message
        if (newPassword) return form.refuse({ newPassword })
        // The reset link has expired: the old password is needed again.
        if (!withCurrent && refusal?.code === 'BAD_REQUEST') onDone()
        if (withCurrent && refusal?.code === 'FORBIDDEN') form.refuse({ currentPassword: refusal.message })
      },
    }),
  )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* For the browser's password manager. */}
      <input type="text" value={username} autoComplete="username" readOnly hidden />
      {withCurrent && (
        <Field label="Current password" error={form.errors.currentPassword}>
          {(tied) => <PasswordInput {...tied} {...form.text('currentPassword')} autoComplete="current-password" />}
        </Field>
      )}
      <Field label="New password" error={form.errors.newPassword} hint="At least 6 characters">
        {(tied) => <PasswordInput {...tied} {...form.text('newPassword')} autoComplete="new-password" />}
      </Field>
      {children(change.isPending)}
    </form>
  )
}

export function NewPasswordDialog({ onClose }: { onClose(): void }) {
  const { username } = useViewer()
  useEffect(forgetPasswordPrompt, [])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Choose a new password"
      description="Your link lets you set a new password without entering the current one."
      keep
    >
      <PasswordFields username={username} withCurrent={false} onDone={onClose}>
        {(busy) => (
          <DialogButtons>
            <Button onClick={onClose}>Not now</Button>
            <Button type="submit" look="primary" busy={busy}>
              Save password
            </Button>
          </DialogButtons>
        )}
      </PasswordFields>
    </Dialog>
  )
}
