import { Link } from '@tanstack/react-router'
import MoreHorizontal from 'lucide-react/icons/ellipsis'
import * as DropdownMenu from 'radix-ui/dropdown-menu'
import { useState } from 'react'
import { DeleteContent } from '../../account/page/DeleteAccount'
import { LINK_MINUTES } from '../../auth/limits'
import { useServerOptions } from '../../auth/page/cache'
import { dayAt } from '../../days'
import { calendarDay } from '../../format'
import { Avatar } from '../../users/page/Avatar'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { settings } from '../../web/settings'
import { copyText } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Dialog } from '../../web/ui/Dialog'
import { Field, Input } from '../../web/ui/Field'
import { MenuItem, MenuLine, MenuPanel } from '../../web/ui/Menu'
import type { Confirmation, Person } from '../schema'
import { Badge, Listing, RowText } from './Listing'
import { ConfirmForm, useOperatorChange } from './operatorCalls'

export const AccountList = () => (
  <Listing
    name="people"
    find="Search people by name or email"
    empty="No accounts yet."
    read={(given) => client.operator.users.query(given)}
  >
    {(person) => <PersonRow person={person} />}
  </Listing>
)

const PersonRow = ({ person }: { person: Person }) => (
  <>
    <Avatar user={person} />
    <RowText
      title={
        <Link to="/$username" params={{ username: person.username }} className="rounded-card underline-offset-4 hover:underline">
          {displayName(person)}
        </Link>
      }
      text={person.name ? `${person.username} · ${person.email}` : person.email}
      facts={
        <>
          {person.boards === 1 ? '1 board' : `${person.boards} boards`} · joined {dayOf(person.createdAt)}
          <br />
          {person.lastSeenAt ? `Last seen ${dayOf(person.lastSeenAt)}` : 'Not signed in'}
        </>
      }
    >
      {person.operator && <Badge>Operator</Badge>}
      {settings().hasPlans && person.isPro && <Badge>{person.subscribed ? 'Pro, paid' : 'Pro, free of charge'}</Badge>}
      {!person.emailVerified && <Badge>Email not confirmed</Badge>}
      {person.disabled && <Badge>Disabled</Badge>}
    </RowText>
    <PersonActions person={person} />
  </>
)

const dayOf = (moment: string) => calendarDay(dayAt(new Date(moment)))

type Asked = 'email' | 'link' | 'disable' | 'prove' | 'role' | 'delete'

function PersonActions({ person }: { person: Person }) {
  const [asked, setAsked] = useState<Asked>()
  const close = (open: boolean) => !open && setAsked(undefined)
  const { id: userId, username } = person
  const disable = useOperatorChange(() => client.operator.disable.mutate({ userId }), {
    title: `${username}’s account is disabled`,
    description: 'They are logged out everywhere.',
  })
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button
            look="quiet"
            size="icon"
            className="-my-1 -mr-overhang pointer-coarse:-my-2.5"
            aria-label={`Menu for ${username}`}
          >
            <MoreHorizontal className="size-4" aria-hidden />
          </Button>
        </DropdownMenu.Trigger>
        <MenuPanel align="end">
          <ActionItems person={person} ask={setAsked} />
        </MenuPanel>
      </DropdownMenu.Root>
      <NewEmail person={person} open={asked === 'email'} onOpenChange={close} />
      <ResetLink person={person} open={asked === 'link'} onOpenChange={close} />
      <Proof person={person} open={asked === 'prove'} onOpenChange={close} />
      <Role person={person} open={asked === 'role'} onOpenChange={close} />
      <Deletion person={person} open={asked === 'delete'} onOpenChange={close} />
      <Confirm
        open={asked === 'disable'}
        onOpenChange={close}
        title={`Disable ${username}’s account?`}
        text={`They will be logged out everywhere. Until you enable the account again, they cannot sign in and will not get any email. Their name stays on their boards, and a running timer continues.${settings().hasPlans ? ' Any subscription will be cancelled at the end of its period.' : ''}`}
        action="Disable"
        busy={disable.isPending}
        onConfirm={() => disable.mutate(undefined, { onSettled: () => setAsked(undefined) })}
      />
    </>
  )
}

function ActionItems({ person, ask }: { person: Person; ask(what: Asked): void }) {
  const { id: userId, username, isPro, operator, disabled } = person
  const viewer = useViewer()
  const hasPasswords = useServerOptions()?.passwords !== false
  const plan = useOperatorChange(() => client.operator.setPlan.mutate({ userId, isPro: !isPro }), {
    title: `${username} is now on ${isPro ? 'Free' : 'Pro'}`,
  })
  const enable = useOperatorChange(() => client.operator.enable.mutate({ userId }), { title: `${username} can sign in again` })
  return (
    <>
      {!person.emailVerified && <MenuItem onSelect={() => ask('prove')}>Confirm email…</MenuItem>}
      <MenuItem onSelect={() => ask('email')}>Change email…</MenuItem>
      {hasPasswords && !disabled && <MenuItem onSelect={() => ask('link')}>Create reset link…</MenuItem>}
      {settings().hasPlans && !person.subscribed && (
        <MenuItem onSelect={() => plan.mutate(undefined)}>{isPro ? 'Remove Pro' : 'Give Pro'}</MenuItem>
      )}
      <MenuLine />
      {(operator || !disabled) && (
        <MenuItem onSelect={() => ask('role')}>{operator ? 'Remove as operator…' : 'Make operator…'}</MenuItem>
      )}
      {disabled ? (
        <MenuItem onSelect={() => enable.mutate(undefined)}>Enable</MenuItem>
      ) : (
        viewer.id !== userId && (
          <MenuItem className="text-danger" onSelect={() => ask('disable')}>
            Disable…
          </MenuItem>
        )
      )}
      {viewer.id !== userId && (
        <MenuItem className="text-danger" onSelect={() => ask('delete')}>
          Delete…
        </MenuItem>
      )}
    </>
  )
}

type PersonDialog = { person: Person; open: boolean; onOpenChange(open: boolean): void }

function Proof({ person: { id: userId, username, email }, open, onOpenChange }: PersonDialog) {
  const prove = useOperatorChange((given: Confirmation) => client.operator.prove.mutate({ ...given, userId }), {
    title: 'Email Confirmed',
  })
  const close = () => onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Confirm ${email} for ${username}?`}
      description={`People can then add ${username} to boards by this address, and notifications go to it. We’ll tell ${username} that you confirmed it.`}
    >
      <ConfirmForm action="Confirm email" call={prove} onDone={close} onCancel={close} />
    </Dialog>
  )
}

function Role({ person: { id: userId, username, operator }, open, onOpenChange }: PersonDialog) {
  const change = useOperatorChange(
    (given: Confirmation) => client.operator.setOperator.mutate({ ...given, userId, operator: !operator }),
    {
      title: operator ? `${username} is no longer an operator` : `${username} is an operator`,
    },
  )
  const close = () => onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={operator ? `Remove ${username} as operator?` : `Make ${username} an operator?`}
      description={
        operator
          ? 'They will lose access to this page right away. We’ll tell them by email.'
          : 'They can do everything you can on this page, including removing you. We’ll tell them by email.'
      }
    >
      <ConfirmForm action={operator ? 'Remove' : 'Make operator'} call={change} onDone={close} onCancel={close} />
    </Dialog>
  )
}

function Deletion({ person: { id: userId, username }, open, onOpenChange }: PersonDialog) {
  const [deleteContent, setDeleteContent] = useState(false)
  const deletion = useOperatorChange(
    (given: Confirmation) => client.operator.deleteUser.mutate({ ...given, userId, deleteContent }),
    {
      title: `${username}’s account was deleted`,
    },
  )
  const close = () => {
    setDeleteContent(false)
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`Delete ${username}’s account?`}
      description="This cannot be undone. Boards they created are deleted for everyone: to keep one, first hand it over under Boards. Their work on other boards stays under “Former member”."
    >
      <ConfirmForm action="Delete account" call={deletion} onDone={close} onCancel={close}>
        <DeleteContent checked={deleteContent} onChange={setDeleteContent}>
          Also delete their comments and files on all boards
        </DeleteContent>
      </ConfirmForm>
    </Dialog>
  )
}

function NewEmail({ person, open, onOpenChange }: PersonDialog) {
  const passwords = useServerOptions()?.passwords !== false
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`New email for ${person.username}`}
      description={`They will be logged out everywhere. ${passwords ? MAILED : PROVIDED} We’ll send a notice to the old address.`}
    >
      <NewEmailForm person={person} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

const MAILED = 'They can then sign in with the new email, and confirm it with the link we send there.'
const PROVIDED = 'The new email counts as confirmed once their sign-in provider vouches for it.'

function NewEmailForm({ person, onDone }: { person: Person; onDone(): void }) {
  const [email, setEmail] = useState(person.email)
  const change = useOperatorChange(
    (given: Confirmation) => client.operator.setEmail.mutate({ ...given, userId: person.id, email }),
    {
      title: 'Email Changed',
    },
  )
  const refusal = refusalOf(change.error)
  const isWrong = refusal?.code === 'CONFLICT' || refusal?.issues?.some(({ path }) => path === 'email')
  return (
    <ConfirmForm action="Change email" call={change} onDone={onDone} onCancel={onDone}>
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

function ResetLink({ person, open, onOpenChange }: PersonDialog) {
  const make = useOperatorChange(
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
      title={`Reset link for ${person.username}`}
      description={`Anyone with this link can sign in as ${person.username} and set a new password, so give it only to ${person.username}. It works once, expires in ${LINK_MINUTES} minutes and replaces older links. We’ll tell ${person.username} that you created it and whether it was used.`}
    >
      {link ? (
        <div className="flex flex-col gap-4">
          <Field label="Link">
            {(tied) => <Input {...tied} readOnly value={link} onFocus={(event) => event.target.select()} />}
          </Field>
          <Button look="primary" className="self-end" onClick={() => void copyText(link, 'Link Copied')}>
            Copy link
          </Button>
        </div>
      ) : (
        <ConfirmForm action="Create link" call={make} onCancel={() => change(false)} />
      )}
    </Dialog>
  )
}
