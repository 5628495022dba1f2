import { useNavigate } from '@tanstack/react-router'
import { useViewer } from '../../auth/page/cache'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { profileChanges } from '../schema'
import { useUpdateProfile } from './cache'
import { UsernameInput } from './UsernameInput'

export const EditProfile = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog open={open} onOpenChange={(stays) => !stays && onClose()} title="Edit Profile" keep>
    <Form onClose={onClose} />
  </Dialog>
)

const FIELDS = ['name', 'username', 'description'] as const

function Form({ onClose }: { onClose(): void }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const update = useUpdateProfile()
  const current = { name: viewer.name ?? '', username: viewer.username, description: viewer.description ?? '' }
  const draft = useDraft('profile', current)
  // Only changed fields are validated and sent: an old username may not fit today's rules.
  const changed = FIELDS.filter((field) => draft.values[field] !== current[field])
  const changes = Object.fromEntries(changed.map((field) => [field, draft.values[field]]))
  const form = useForm(draft, { schema: profileChanges, input: changes, early: 'all' })

  const close = () => {
    form.discard()
    onClose()
  }
  const submit = form.submit(async (given) => {
    if (changed.length === 0) return close()
    const answer = await update.run(given)
    if (!answer) return
    form.discard()
    if (answer.username && answer.username !== viewer.username)
      await navigate({ to: '/$username', params: { username: answer.username }, replace: true })
    else onClose()
  })
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={form.errors.name}>
        {(tied) => <Input {...tied} {...form.text('name')} placeholder="Your name" autoComplete="name" />}
      </Field>
      <Field
        label="Username"
        error={form.errors.username}
        hint={`This changes your profile URL: ${window.location.host}/${form.values.username}`}
      >
        {(tied) => <UsernameInput {...tied} {...form.text('username')} />}
      </Field>
      <Field label="Description" error={form.errors.description}>
        {(tied) => <TextArea {...tied} {...form.text('description')} rows={3} />}
      </Field>
      <DialogButtons>
        <Button onClick={close} disabled={update.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={update.isPending}>
          Save Changes
        </Button>
      </DialogButtons>
    </form>
  )
}
