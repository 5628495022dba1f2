import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { mayRemoveMember } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { OpenInvitations } from '../../invitations/page/OpenInvitations'
import { Avatar } from '../../users/page/Avatar'
import { useFound } from '../../users/page/useFound'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Input } from '../../web/ui/Field'
import type { Board } from '../schema'
import { useAddMember, useRemoveMember } from './cache'
import { useHere } from './Presence'

export const MemberPanel = ({ board, locked }: { board: Board; locked: boolean }) => (
  <>
    {locked ? <NoInviting /> : <InviteForm boardId={board.id} />}
    <MemberList board={board} locked={locked} />
    <OpenInvitations board={board} locked={locked} />
  </>
)

const NoInviting = () => (
  <p className="text-pretty text-quiet">
    This board is read-only for you on the Free plan, so you cannot invite anyone to it.{' '}
    <UpgradeLink className="font-strong text-text underline underline-offset-4">Upgrade to Pro</UpgradeLink>
  </p>
)

function InviteForm({ boardId }: { boardId: number }) {
  const [email, setEmail] = useState('')
  const invitation = useAddMember(boardId)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = email.trim()
    if (given && (await invitation.run(given))) setEmail('')
  }
  return (
    <form onSubmit={submit} className="flex gap-2" noValidate>
      <Input
        type="text"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        aria-label="E-mail address"
        placeholder="name@example.com"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" look="primary" className="h-10" disabled={!email.trim()} busy={invitation.isPending}>
        Invite
      </Button>
    </form>
  )
}

function MemberList({ board, locked }: { board: Board; locked: boolean }) {
  const viewer = useViewer()
  const here = useHere()
  const removal = useRemoveMember(board.id)
  const { found, field } = useFound(board.members)
  const [leaving, setLeaving] = useState<UserSummary | null>(null)
  const confirm = async () => {
    if (leaving) await removal.run(leaving.id)
    setLeaving(null)
  }
  return (
    <>
      {field}
      <ul className="-mx-1.5 flex max-h-64 flex-col overflow-y-auto" aria-label="Members">
        {found.map((member) => (
          <li key={member.id} className="flex items-center gap-1 rounded-card px-1.5 py-1 hover:bg-hover">
            <Link
              to="/$username"
              params={{ username: member.username }}
              className="flex min-w-0 flex-1 items-center gap-2 rounded-card py-0.5"
            >
              <Avatar user={member} here={here.has(member.id)} />
              <span dir="auto" className="truncate">
                {displayName(member)}
              </span>
              {member.id === board.createdBy && <span className="shrink-0 text-quiet text-small">Creator</span>}
              {here.has(member.id) && <span className="shrink-0 text-quiet text-small">Here now</span>}
            </Link>
            {!locked && mayRemoveMember(viewer, board, member.id) && (
              <Button
                look="quiet"
                size="small-icon"
                aria-label={member.id === viewer.id ? 'Leave the board' : `Remove ${displayName(member)}`}
                onClick={() => setLeaving(member)}
              >
                <X className="size-3.5" aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        open={!!leaving}
        onOpenChange={(open) => !open && setLeaving(null)}
        {...words(leaving, viewer.id)}
        busyAction="Removing..."
        busy={removal.isPending}
        onConfirm={confirm}
      />
    </>
  )
}

const words = (leaving: UserSummary | null, viewerId: number) =>
  leaving?.id === viewerId
    ? { title: 'Leave Board', text: 'You will lose access to this board and your assignments on it.', action: 'Leave Board' }
    : {
        title: 'Remove Member',
        text: `${leaving ? displayName(leaving) : 'This member'} will lose access to this board, and their assignments on it end.`,
        action: 'Remove Member',
      }
