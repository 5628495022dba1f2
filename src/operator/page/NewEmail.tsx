import { useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { Dialog } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import type { Confirmation, Person } from '../schema'
import { ConfirmForm } from './ConfirmForm'
import { useOperate } from './cache'

type Props = { person: Person; open: boolean; onOpenChange(open: boolean): void }

export function NewEmail({ person, open, onOpenChange }: Props) {
  const passwords = useServerOptions()?.passwords !== false
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`New Email for ${person.username}`}
      description={`They are signed out everywhere. ${passwords ? MAILED : PROVIDED} The old address is told that you did it.`}
    >
      <Form person={person} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

const MAILED = 'They sign in with the new one, which counts as theirs once they open the link that is mailed there.'
const PROVIDED = 'The new one counts as theirs once the provider that they sign in with confirms it.'

function Form({ person, onDone }: { person: Person; onDone(): void }) {
  const [email, setEmail] = useState(person.email)
  const change = useOperate((given: Confirmation) => client.operator.setEmail.mutate({ ...given, userId: person.id, email }), {
    title: 'Email Changed',
  })
  const refusal = refusalOf(change.error)
  const isWrong = refusal?.code === 'CONFLICT' || refusal?.issues?.some(({ path }) => path === 'email')
  return (
    <ConfirmForm action="Change Email" call={change} onDone={onDone} onCancel={onDone}>
      <Field label="Email" error={isWrong ? refusal?.message : undefined}>
        {(tied) => (
          <Input
            {...tied}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              change.reset()
            }}
            type="email"
            autoComplete="off"
          />
        )}
      </Field>
    </ConfirmForm>
  )
}
