import { MoreHorizontal } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useServerOptions, useViewer } from '../../auth/page/cache'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { MenuItem, MenuLine, MenuPanel } from '../../web/ui/Menu'
import type { Person } from '../schema'
import { operatorApi } from './api'
import { useOperate } from './cache'
import { NewEmail } from './NewEmail'
import { ResetLink } from './ResetLink'

type Asked = 'email' | 'link' | 'disable'

export function PersonActions({ person }: { person: Person }) {
  const [asked, setAsked] = useState<Asked>()
  const close = (open: boolean) => !open && setAsked(undefined)
  const { id: userId, username } = person
  const disable = useOperate(() => operatorApi.disable.mutate({ userId }), {
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
  const prove = useOperate(() => operatorApi.prove.mutate({ userId }), { title: 'Email Confirmed' })
  const plan = useOperate(() => operatorApi.setPlan.mutate({ userId, isPro: !isPro }), {
    title: `${username} Is ${isPro ? 'Free' : 'Pro'}`,
  })
  const role = useOperate(() => operatorApi.setOperator.mutate({ userId, operator: !operator }), {
    title: operator ? `${username} Is No Longer an Operator` : `${username} Is an Operator`,
  })
  const enable = useOperate(() => operatorApi.enable.mutate({ userId }), { title: `${username} Can Sign In Again` })
  return (
    <>
      {!person.emailVerified && <MenuItem onSelect={() => prove.mutate(undefined)}>Confirm email</MenuItem>}
      <MenuItem onSelect={() => ask('email')}>Change email…</MenuItem>
      {hasPasswords && !disabled && <MenuItem onSelect={() => ask('link')}>Link for a new password…</MenuItem>}
      {!person.subscribed && <MenuItem onSelect={() => plan.mutate(undefined)}>{isPro ? 'Take Pro back' : 'Give Pro'}</MenuItem>}
      <MenuLine />
      {(operator || !disabled) && (
        <MenuItem onSelect={() => role.mutate(undefined)}>{operator ? 'Remove as operator' : 'Make an operator'}</MenuItem>
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
    </>
  )
}
