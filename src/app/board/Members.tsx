import { useLocation, useNavigate } from '@tanstack/react-router'
import UserPlus from 'lucide-react/icons/user-plus'
import { type SubmitEvent, useState } from 'react'
import { UpgradeLink } from '../../billing/page/Upgrade'
import { inviteLinkOf, useAddMember } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { HEADER_BUTTON } from '../../time/page/OpenTimeLogs'
import { lazyComponent } from '../../web/lazyComponent'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import type { OnLink } from './MemberList'

const MemberList = lazyComponent(() => import('./MemberList').then((module) => module.MemberList))

type Props = { board: Board; locked: boolean }

const HASH = 'invite'

export function Members(props: Props) {
  const [isOpened, setOpened] = useState(false)
  const navigate = useNavigate()
  const isAddressed = useLocation({ select: ({ pathname, hash }) => pathname === `/board/${props.board.id}` && hash === HASH })
  const setOpen = (open: boolean) => {
    setOpened(open)
    if (isAddressed && !open)
      void navigate({ to: '/board/$boardId', params: { boardId: props.board.id }, hash: '', replace: true, resetScroll: false })
  }
  return (
    <Popover
      open={isOpened || isAddressed}
      onOpenChange={setOpen}
      trigger={
        <Button className={HEADER_BUTTON}>
          <UserPlus className="size-4 lg:hidden" aria-hidden />
          <span className="max-lg:sr-only">Invite Members</span>
        </Button>
      }
    >
      <PopoverPanel label="Invite Members" align="end">
        <MemberPanel {...props} onLost={() => setOpen(false)} />
      </PopoverPanel>
    </Popover>
  )
}

const listHeight = (members: number) => `${7.7 + members * 2.5}rem`

function MemberPanel({ board, locked, onLost }: Props & { onLost(): void }) {
  const [unsent, setUnsent] = useState<string>()
  return (
    <>
      {locked ? <NoInviting /> : <InviteForm boardId={board.id} onLink={setUnsent} />}
      <MemberList
        fallback={<div className="skeleton-people pt-11 pb-18" style={{ height: listHeight(board.members.length) }} aria-busy />}
        onLost={onLost}
        board={board}
        locked={locked}
        unsent={unsent}
        onLink={setUnsent}
      />
    </>
  )
}

const NoInviting = () => (
  <p className="text-pretty text-quiet">
    This board is read-only for you on the Free plan, so you cannot invite anyone to it.{' '}
    <UpgradeLink className="font-strong text-text underline underline-offset-4">Upgrade to Pro</UpgradeLink>
  </p>
)

function InviteForm({ boardId, onLink }: { boardId: number; onLink: OnLink }) {
  const [who, setWho] = useState('')
  const invitation = useAddMember(boardId)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = who.trim()
    const outcome = given ? await invitation.run(given) : undefined
    if (!outcome) return
    setWho((now) => (now.trim() === given ? '' : now))
    onLink(inviteLinkOf(outcome.answer))
  }
  const type = (text: string) => {
    setWho(text)
    invitation.forget()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Field label="Email address or username" unlabelled error={invitation.failure}>
        {(tied) => (
          <div className="flex gap-2">
            <Input
              {...tied}
              type="text"
              autoFocus
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="Email or username"
              autoComplete="off"
              value={who}
              onChange={(event) => type(event.target.value)}
            />
            <Button type="submit" look="primary" disabled={!who.trim()} busy={invitation.isPending}>
              Invite
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}
