import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import { LazyDialog } from '../../web/ui/LazyDialog'
import { useFields, useForm } from '../../web/useForm'
import { addressChange, type Person } from '../schema'
import { operatorApi } from './api'
import { useOperate } from './cache'

type Props = { person: Person; open: boolean; onOpenChange(open: boolean): void }

export const NewEmail = ({ person, open, onOpenChange }: Props) => (
  <LazyDialog
    open={open}
    onOpenChange={onOpenChange}
    title={`New e-mail for ${person.username}`}
    description="They are signed out everywhere, and sign in with the new one. It counts as theirs once they open the link that is mailed there. The old one is told."
  >
    <Form person={person} onDone={() => onOpenChange(false)} />
  </LazyDialog>
)

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
          Change E-mail
        </Button>
      </DialogButtons>
    </form>
  )
}
