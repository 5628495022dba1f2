import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { type LinkPurpose, type LinkRequest, linkRequest } from '../schema'
import { useForgotPassword, useMagicLink } from './cache'
import { KeepSignedIn } from './KeepSignedIn'

type Props = { purpose: LinkPurpose; email: string; onSent(email: string): void; onBack(): void }

export function MailForm({ purpose, email, onSent, onBack }: Props) {
  const requests = { 'sign-in': useMagicLink(), reset: useForgotPassword() }
  const request = requests[purpose]
  const fields = useForm<z.input<typeof linkRequest>, unknown, LinkRequest>({
    resolver: zodResolver(linkRequest),
    defaultValues: { email, remember: true },
  })
  const submit = fields.handleSubmit((given) => request.mutate(given, { onSuccess: () => onSent(given.email) }))
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Email" error={fields.formState.errors.email?.message}>
        {(tied) => <Input {...tied} {...fields.register('email')} type="email" autoComplete="email" autoFocus />}
      </Field>
      {purpose === 'sign-in' && <KeepSignedIn {...fields.register('remember')} />}
      <Button type="submit" look="primary" size="large" busy={request.isPending}>
        {purpose === 'reset' ? 'Send Reset Link' : 'Email Me a Link'}
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back to Login
      </Button>
    </form>
  )
}
