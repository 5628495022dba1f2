import { Link, Mail, Send, X } from 'lucide-react'
import { useState } from 'react'
import { mayRevokeInvitation } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { linkIn, useAddMember } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { displayName } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import { invitedName, isLink, type OpenInvitation } from '../schema'
import { useOpenInvitations, useRevokeInvitation } from './cache'

type Props = { board: Board; locked: boolean; onLink(link: string | undefined): void }

export function OpenInvitations({ board, locked, onLink }: Props) {
  const { invitations, error, isError, isFetching, retry } = useOpenInvitations(board.id)
  const declined = useDeclined(board.id)
  if (isError && !invitations)
    return (
      <TryAgain busy={isFetching} retry={retry} error={error} className="justify-between text-small">
        The open invitations could not be loaded.
      </TryAgain>
    )
  if (!invitations) return null
  // One that was declined a moment ago is in both.
  const rows = [...new Map([...invitations, ...declined].map((one) => [one.id, one])).values()].sort((a, b) => a.id - b.id)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="open-invitations" className="flex flex-col gap-1 border-line border-t pt-3">
      <h3 id="open-invitations" className="text-quiet text-small">
        Invited
      </h3>
      <ul className="-mx-1.5 flex max-h-44 flex-col overflow-y-auto">
        {rows.map((invitation) => (
          <Row
            key={invitation.id}
            invitation={invitation}
            board={board}
            locked={locked || invitation.status === 'declined'}
            onLink={onLink}
          />
        ))}
      </ul>
    </section>
  )
}

/** What is declined before somebody's eyes stays, and says so. */
function useDeclined(boardId: number): OpenInvitation[] {
  const [declined, setDeclined] = useState<OpenInvitation[]>([])
  useLiveMessages({
    invitation_changed({ boardId: changed, invitation }) {
      if (changed === boardId && invitation.status === 'declined') setDeclined((known) => [...known, invitation])
    },
  })
  return declined
}

function Row({ invitation, board, locked, onLink }: Props & { invitation: OpenInvitation }) {
  const viewer = useViewer()
  const renewal = useAddMember(board.id)
  const revocation = useRevokeInvitation(board.id)
  const isOfLink = isLink(invitation)
  const by = maker(invitation, board)
  const invited = isOfLink ? `Invite link by ${by}` : invitedName(invitation)
  const toRenew = invitation.email ?? invitation.user?.username ?? ''
  return (
    <li className="flex items-center gap-1 rounded-card px-1.5 py-1 hover:bg-hover">
      <span className="grid size-6 shrink-0 place-items-center rounded-full border border-edge border-dashed text-quiet">
        {isOfLink ? <Link className="size-3" aria-hidden /> : <Mail className="size-3" aria-hidden />}
      </span>
      <p className="min-w-0 flex-1 pl-1">
        <bdi className="block truncate" title={invited}>
          {invited}
        </bdi>
        <span className="block text-quiet text-small" aria-live="polite">
          {invitation.status === 'declined' ? 'Declined' : remaining(invitation)}
        </span>
      </p>
      {!locked && !isOfLink && (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={`Resend to ${invited}`}
          title="Resend"
          disabled={renewal.isPending}
          onClick={async () => onLink(linkIn((await renewal.run(toRenew))?.answer))}
        >
          <Send className="size-3.5" aria-hidden />
        </Button>
      )}
      {!locked && mayRevokeInvitation(viewer, board, invitation) && (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={isOfLink ? `Revoke the invite link by ${by}` : `Revoke the invitation of ${invited}`}
          title="Revoke"
          onClick={() => void revocation.run(invitation)}
        >
          <X className="size-3.5" aria-hidden />
        </Button>
      )}
    </li>
  )
}

const maker = ({ invitedBy }: OpenInvitation, { members }: Board) => {
  const found = members.find(({ id }) => id === invitedBy)
  return found ? displayName(found) : 'a member'
}

const DAY = 86_400_000

function remaining({ expiresAt }: OpenInvitation): string {
  const left = Date.parse(expiresAt) - Date.now()
  if (left <= 0) return 'Expired'
  const days = Math.ceil(left / DAY)
  return days === 1 ? 'Expires within a day' : `Expires in ${days} days`
}
