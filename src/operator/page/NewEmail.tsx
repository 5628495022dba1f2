import { useServerOptions } from '../../auth/page/cache'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import { LazyDialog } from '../../web/ui/LazyDialog'
import { useFields, useForm } from '../../web/useForm'
import { addressChange, type Person } from '../schema'
import { operatorApi } from './api'
import { useOperate } from './cache'

type Props = { person: Person; open: boolean; onOpenChange(open: boolean): void }

export function NewEmail({ person, open, onOpenChange }: Props) {
  const passwords = useServerOptions()?.passwords !== false
  return (
    <LazyDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`New Email for ${person.username}`}
      description={`They are signed out everywhere. ${passwords ? MAILED : PROVIDED} The old address is told.`}
    >
      <Form person={person} onDone={() => onOpenChange(false)} />
    </LazyDialog>
  )
}

const MAILED = 'They sign in with the new one, which counts as theirs once they open the link that is mailed there.'
const PROVIDED = 'The new one counts as theirs once the provider that they sign in with confirms it.'

function Form({ person, onDone }: { person: Person; onDone(): void }) {
  const change = useOperate((email: string) => operatorApi.setEmail.mutate({ userId: person.id, email }), {
    title: 'Email Changed',
  })
  const form = useForm(useFields({ email: person.email }), { schema: addressChange })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit(({ email }) => change.mutateAsync(email).then(onDone, () => {}))}
    >
      <Field label="Email" error={form.errors.email}>
        {(tied) => <Input {...tied} {...form.text('email')} type="email" autoComplete="off" />}
      </Field>
      <DialogButtons>
        <Button onClick={onDone} disabled={change.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          Change Email
        </Button>
      </DialogButtons>
    </form>
  )
}
