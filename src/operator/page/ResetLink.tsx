import { LINK_MINUTES } from '../../auth/basics'
import { copy } from '../../users/page/Copyable'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import type { Confirmation, Person } from '../schema'
import { ConfirmForm } from './ConfirmForm'
import { useOperate } from './cache'

type Props = { person: Person; open: boolean; onOpenChange(open: boolean): void }

export function ResetLink({ person, open, onOpenChange }: Props) {
  const make = useOperate(
    (given: Confirmation) => client.operator.resetLink.mutate({ ...given, userId: person.id }),
    () => null,
  )
  const link = make.data?.link
  const change = (next: boolean) => {
    if (!next) make.reset()
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={`Link for ${person.username}`}
      description={`Whoever opens it is signed in as ${person.username} and sets a new password. It works once, within ${LINK_MINUTES} minutes, and older ones do no more. Give it to nobody else. ${person.username} is mailed that you made it, and shown whether it was used.`}
    >
      {link ? (
        <div className="flex flex-col gap-4">
          <Field label="Link">
            {(tied) => <Input {...tied} readOnly value={link} onFocus={(event) => event.target.select()} />}
          </Field>
          <Button look="primary" className="self-end" onClick={() => void copy(link, 'Link Copied')}>
            Copy Link
          </Button>
        </div>
      ) : (
        <ConfirmForm action="Make a Link" call={make} onCancel={() => change(false)} />
      )}
    </Dialog>
  )
}
