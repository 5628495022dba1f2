import { useViewer } from '../../auth/page/cache'
import { OwnPassword } from '../../auth/page/PasswordInput'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { emailChange, type Security } from '../schema'
import { useChangeEmail } from './cache'

export function EmailFields({ security }: { security: Security }) {
  const { email, username } = useViewer()
  const change = useChangeEmail()
  const form = useForm(useFields({ email: '', password: '' }), { schema: emailChange })
  const submit = form.submit(({ email, password }) =>
    change.mutate(security.hasPassword ? { email, password } : { email }, {
      onSuccess: () => form.discard(),
      onError: (error) => {
        const refusal = refusalOf(error)
        if (refusal?.code === 'FORBIDDEN') form.refuse({ password: refusal.message })
        if (refusal?.code === 'BAD_REQUEST') form.refuse({ email: refusal.message })
      },
    }),
  )
  return (
    <>
      <p className="wrap-anywhere text-quiet">
        Yours is <bdi className="text-text">{email}</bdi>.
      </p>
      {security.mayDelete ? (
        <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
          <input type="text" value={username} autoComplete="username" readOnly hidden />
          <Field label="New Email" error={form.errors.email} hint="Nothing changes until you open the link that we mail there">
            {(tied) => <Input {...tied} {...form.text('email')} type="email" autoComplete="email" />}
          </Field>
          {security.hasPassword && <OwnPassword error={form.errors.password} {...form.text('password')} />}
          <Button type="submit" busy={change.isPending} className="self-start">
            Change Email
          </Button>
        </form>
      ) : (
        <p role="note" className="rounded-card bg-column px-3 py-2">
          To change it, please log out, sign in again, and come back within 15 minutes.
        </p>
      )}
    </>
  )
}
