import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { type AskedPurpose, linkRequest } from '../schema'
import { FormFailure } from './FormFailure'
import { KeepSignedIn } from './KeepSignedIn'
import { useForgotPassword, useMagicLink } from './signIn'

type Props = { purpose: AskedPurpose; email: string; onSent(email: string): void; onBack(): void }

export function MailForm({ purpose, email, onSent, onBack }: Props) {
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
      <Button type="submit" look="primary" size="large" busy={request.busy}>
        {purpose === 'reset' ? 'Send Reset Link' : 'Email Me a Link'}
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back to Login
      </Button>
    </form>
  )
}
