import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import { refusalOf } from '../../web/refusal'
import { copyText } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { Hint } from '../../web/ui/Hint'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { USERNAME_TAKEN } from '../limits'
import { displayName, type Profile, profileChanges } from '../schema'
import { useUpdateProfile } from './cache'
import { UsernameInput } from './UsernameInput'
import { useViewer } from './viewer'

const LINK_CUT = 15
const EMAIL_CUT = 25

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}...` : text)

export function ProfileDetails({ person }: { person: Omit<Profile, 'id' | 'avatar'> }) {
  const { host, origin } = window.location
  return (
    <>
      <div className="flex flex-col gap-1 self-stretch">
        <h2 dir="auto" className="break-words font-strong text-page">
          {displayName(person)}
        </h2>
        <Copyable
          shown={`${host}/${cut(person.username, LINK_CUT)}`}
          text={`${origin}/${person.username}`}
          label="Copy the profile link"
          copied="Link Copied"
        />
        {person.email !== null && (
          <Copyable
            shown={cut(person.email, EMAIL_CUT)}
            text={person.email}
            label="Copy the email address"
            copied="Email Copied"
          />
        )}
        {person.email !== null && !person.emailVerified && <p className="text-quiet text-small">Email not confirmed yet</p>}
      </div>
      {person.description && (
        <p dir="auto" className="self-stretch whitespace-pre-wrap break-words border-line border-t pt-6">
          {person.description}
        </p>
      )}
    </>
  )
}

type CopyableProps = { shown: string; text: string; label: string; copied: string }

const Copyable = ({ shown, text, label, copied }: CopyableProps) => (
  <div className="flex min-w-0 items-center gap-1 text-quiet pointer-coarse:-my-1">
    <Hint text={text} soon>
      <span className="min-w-0 truncate">{shown}</span>
    </Hint>
    <button
      type="button"
      aria-label={label}
      onClick={() => copyText(text, copied)}
      className="grid size-icon shrink-0 place-items-center rounded-card hover:bg-hover hover:text-text"
    >
      <Copy className="size-3.5" aria-hidden />
    </button>
  </div>
)

export const EditProfile = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog open={open} onOpenChange={(stays) => !stays && onClose()} title="Edit Profile" keep addressed>
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
  // Only changed fields are validated and sent: an old username may not satisfy today's rules.
  const changed = FIELDS.filter((field) => draft.values[field] !== current[field])
  const changes = Object.fromEntries(changed.map((field) => [field, draft.values[field]]))
  const form = useForm(draft, { schema: profileChanges, input: changes, early: 'all' })

  const close = () => {
    form.discard()
    onClose()
  }
  const submit = form.submit(async (given) => {
    if (changed.length === 0) return close()
    const answer = await update.run(given, (error) => {
      if (refusalOf(error)?.message === USERNAME_TAKEN) form.refuse({ username: USERNAME_TAKEN })
    })
    if (!answer) return
    form.discard(draft.values)
    if (answer.username && answer.username !== viewer.username)
      await navigate({ to: '/$username', params: { username: answer.username }, replace: true, state: true })
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
