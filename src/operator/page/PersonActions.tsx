import { MoreHorizontal } from 'lucide-react'
import * as DropdownMenu from 'radix-ui/dropdown-menu'
import { useState } from 'react'
import { DeleteContent } from '../../account/page/DeleteAccount'
import { useServerOptions, useViewer } from '../../auth/page/cache'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Dialog } from '../../web/ui/Dialog'
import { MenuItem, MenuLine, MenuPanel } from '../../web/ui/Menu'
import type { Confirmation, Person } from '../schema'
import { ConfirmForm } from './ConfirmForm'
import { useOperate } from './cache'
import { NewEmail } from './NewEmail'
import { ResetLink } from './ResetLink'

type Asked = 'email' | 'link' | 'disable' | 'prove' | 'role' | 'delete'

export function PersonActions({ person }: { person: Person }) {
  const [asked, setAsked] = useState<Asked>()
  const close = (open: boolean) => !open && setAsked(undefined)
  const { id: userId, username } = person
  const disable = useOperate(() => client.operator.disable.mutate({ userId }), {
    title: `${username} Is Disabled`,
    description: 'They are signed out everywhere.',
  })
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button look="quiet" size="icon" aria-label={`Change ${username}`}>
            <MoreHorizontal className="size-4" aria-hidden />
          </Button>
        </DropdownMenu.Trigger>
        <MenuPanel align="end">
          <Items person={person} ask={setAsked} />
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
        title={`Disable ${username}?`}
        text="They are signed out everywhere at once, cannot sign in, and get no mails. They stay on their boards by name; a timer that runs goes on. Enabling brings everything back."
        action="Disable"
        busy={disable.isPending}
        onConfirm={() => disable.mutate(undefined, { onSettled: () => setAsked(undefined) })}
      />
    </>
  )
}

function Items({ person, ask }: { person: Person; ask(what: Asked): void }) {
  const { id: userId, username, isPro, operator, disabled } = person
  const viewer = useViewer()
  const hasPasswords = useServerOptions()?.passwords !== false
  const plan = useOperate(() => client.operator.setPlan.mutate({ userId, isPro: !isPro }), {
    title: `${username} Is ${isPro ? 'Free' : 'Pro'}`,
  })
  const enable = useOperate(() => client.operator.enable.mutate({ userId }), { title: `${username} Can Sign In Again` })
  return (
    <>
      {!person.emailVerified && <MenuItem onSelect={() => ask('prove')}>Confirm email…</MenuItem>}
      <MenuItem onSelect={() => ask('email')}>Change email…</MenuItem>
      {hasPasswords && !disabled && <MenuItem onSelect={() => ask('link')}>Link for a new password…</MenuItem>}
      {!person.subscribed && <MenuItem onSelect={() => plan.mutate(undefined)}>{isPro ? 'Take Pro back' : 'Give Pro'}</MenuItem>}
      <MenuLine />
      {(operator || !disabled) && (
        <MenuItem onSelect={() => ask('role')}>{operator ? 'Remove as operator…' : 'Make an operator…'}</MenuItem>
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

type Shown = { person: Person; open: boolean; onOpenChange(open: boolean): void }

function Proof({ person: { id: userId, username, email }, open, onOpenChange }: Shown) {
  const prove = useOperate((given: Confirmation) => client.operator.prove.mutate({ ...given, userId }), {
    title: 'Email Confirmed',
  })
  const close = () => onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Confirm ${email} for ${username}?`}
      description="It will count as theirs: people can add them to boards by it, and mail goes there. They get a mail saying that you confirmed it."
    >
      <ConfirmForm action="Confirm Email" call={prove} onDone={close} onCancel={close} />
    </Dialog>
  )
}

function Role({ person: { id: userId, username, operator }, open, onOpenChange }: Shown) {
  const change = useOperate(
    (given: Confirmation) => client.operator.setOperator.mutate({ ...given, userId, operator: !operator }),
    {
      title: operator ? `${username} Is No Longer an Operator` : `${username} Is an Operator`,
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
          ? 'They lose this page at once, and are told by mail.'
          : 'They can do everything you can on this page, including removing you. They are told by mail.'
      }
    >
      <ConfirmForm action={operator ? 'Remove' : 'Make an Operator'} call={change} onDone={close} onCancel={close} />
    </Dialog>
  )
}

function Deletion({ person: { id: userId, username }, open, onOpenChange }: Shown) {
  const [deleteContent, setDeleteContent] = useState(false)
  const deletion = useOperate((given: Confirmation) => client.operator.deleteUser.mutate({ ...given, userId, deleteContent }), {
    title: `${username} Is Deleted`,
  })
  const close = () => onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${username}?`}
      description="This cannot be undone. The boards that they created go for everyone on them: hand over first, under Boards, what should stay. On other boards what they did stays under “Former member”."
    >
      <ConfirmForm action="Delete Account" call={deletion} onDone={close} onCancel={close}>
        <DeleteContent checked={deleteContent} onChange={setDeleteContent}>
          Delete their comments and files on all boards, too
        </DeleteContent>
      </ConfirmForm>
    </Dialog>
  )
}
