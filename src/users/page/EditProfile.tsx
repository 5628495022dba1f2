import { useNavigate } from '@tanstack/react-router'
import type { SubmitEvent } from 'react'
import { useViewer } from '../../auth/page/cache'
import { normalizeUsername } from '../../auth/schema'
import { fieldErrors } from '../../web/fieldErrors'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { profileChanges } from '../schema'
import { useUpdateProfile } from './cache'

export const EditProfile = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog open={open} onOpenChange={(stays) => !stays && onClose()} title="Edit Profile" keep>
    <Form onClose={onClose} />
  </Dialog>
)

const FIELDS = ['name', 'username', 'description'] as const
type Typed = (typeof FIELDS)[number]

function Form({ onClose }: { onClose(): void }) {
  const viewer = useViewer()
  const navigate = useNavigate()
  const update = useUpdateProfile()
  const current = { name: viewer.name ?? '', username: viewer.username, description: viewer.description ?? '' }
  const { typed, type, discard } = useDraft<Typed>('profile', current)
  const filledIn = { ...current, ...typed }
  // Only changed fields are validated and sent: an old username may not fit today's rules.
  const changes = Object.fromEntries(FIELDS.filter((f) => filledIn[f] !== current[f]).map((f) => [f, filledIn[f]]))
  const errors = fieldErrors<Typed>(profileChanges, changes, true)

  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = profileChanges.safeParse(changes)
    if (!given.success) return
    if (Object.keys(changes).length === 0) return close()
    const answer = await update.run(given.data)
    if (!answer) return
    discard()
    if (answer.username && answer.username !== viewer.username)
      await navigate({ to: '/$username', params: { username: answer.username }, replace: true })
    else onClose()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={errors.name}>
        {(tied) => (
          <Input
            {...tied}
            placeholder="Your name"
            autoComplete="name"
            value={filledIn.name}
            onChange={(event) => type({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Username"
        error={errors.username}
        hint={`This changes your profile URL: ${window.location.host}/${filledIn.username}`}
      >
        {(tied) => (
          <Input
            {...tied}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={filledIn.username}
            onChange={(event) => type({ username: normalizeUsername(event.target.value) })}
          />
        )}
      </Field>
      <Field label="Description" error={errors.description}>
        {(tied) => (
          <TextArea
            {...tied}
            rows={3}
            value={filledIn.description}
            onChange={(event) => type({ description: event.target.value })}
          />
        )}
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
