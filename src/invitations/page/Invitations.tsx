import Copy from 'lucide-react/icons/copy'
import Link from 'lucide-react/icons/link'
import Mail from 'lucide-react/icons/mail'
import Send from 'lucide-react/icons/send'
import X from 'lucide-react/icons/x'
import { useId, useState } from 'react'
import { mayEditBoard, mayRevokeInvitation } from '../../access'
import { inviteLinkOf, useAddMember, useUpdateBoard } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import { copyText } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Input } from '../../web/ui/Field'
import { useKeptPlace } from '../../web/ui/focus'
import { Switch } from '../../web/ui/Switch'
import { INVITATION_DAYS, invitedName, isLink, type OpenInvitation } from '../schema'
import { useMakeLink, useOpenInvitations, useRevokeInvitation } from './cache'

type Props = { board: Board; locked: boolean; onLink(link: string | undefined): void }

export function OpenInvitations({ board, locked, onLink }: Props) {
  const { invitations, error, isError, isFetching, retry } = useOpenInvitations(board.id)
  const declined = useDeclined(board.id)
  const { list, watched } = useKeptPlace(invitations)
  if (isError && !invitations)
    return (
      <TryAgain busy={isFetching} retry={retry} error={error} className="justify-between text-small">
        The open invitations could not be loaded.
      </TryAgain>
    )
  if (!invitations) return null
  // One declined a moment ago is in both.
  const rows = [...new Map([...invitations, ...declined].map((one) => [one.id, one])).values()].sort((a, b) => a.id - b.id)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="open-invitations" className="flex flex-col gap-1 border-line border-t pt-3">
      <h3 id="open-invitations" className="text-quiet text-small">
        Invited
      </h3>
      <ul ref={list} {...watched} tabIndex={-1} className="-mx-1.5 flex max-h-44 flex-col overflow-y-auto outline-none">
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

/** An invitation declined while shown stays in the list. */
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
  const by = makerName(invitation, board)
  const invited = isOfLink ? `Invite link from ${by}` : invitedName(invitation)
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
          {invitation.status === 'declined' ? 'Declined' : remainingText(invitation)}
        </span>
      </p>
      {!locked && !isOfLink && (
        <Button
          look="quiet"
          size="icon"
          aria-label={`Resend to ${invited}`}
          title="Resend"
          disabled={renewal.isPending}
          onClick={async () => onLink(inviteLinkOf((await renewal.run(toRenew))?.answer))}
        >
          <Send className="size-3.5" aria-hidden />
        </Button>
      )}
      {!locked && mayRevokeInvitation(viewer, board, invitation) && (
        <Button
          look="quiet"
          size="icon"
          aria-label={isOfLink ? `Revoke the invite link from ${by}` : `Revoke the invitation to ${invited}`}
          title="Revoke"
          data-ignore-second-press
          onClick={() => void revocation.run(invitation)}
        >
          <X className="size-3.5" aria-hidden />
        </Button>
      )}
    </li>
  )
}

const makerName = ({ invitedBy }: OpenInvitation, { members }: Board) => {
  const found = members.find(({ id }) => id === invitedBy)
  return found ? displayName(found) : 'a member'
}

const DAY = 86_400_000

function remainingText({ expiresAt }: OpenInvitation): string {
  const left = Date.parse(expiresAt) - Date.now()
  if (left <= 0) return 'Expired'
  const days = Math.ceil(left / DAY)
  return days === 1 ? 'Expires within a day' : `Expires in ${days} days`
}

export function CopyInviteLink({ board }: { board: Board }) {
  const link = useMakeLink(board.id)
  useLiveMessages({
    invitation_changed({ invitation: { id, status } }) {
      if (status !== 'pending' && id === link.data?.invitation.id) link.reset()
    },
  })
  if (!board.inviteLinks) return null
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <Button look="quiet" className="-ml-3 text-text" busy={link.isPending} onClick={() => link.mutate()}>
          <Link className="size-4" aria-hidden />
          Copy invite link
        </Button>
        <span className="text-quiet text-small">Valid for {INVITATION_DAYS} days</span>
      </div>
      {link.data && <LinkField label="Anyone with an account can join with this link" link={link.data.link} />}
    </div>
  )
}

export function LinkField({ label, link }: { label: string; link: string }) {
  const id = useId()
  return (
    <div className="flex animate-rise flex-col gap-1.5" role="status">
      <label htmlFor={id} className="text-pretty text-quiet text-small">
        {label}
      </label>
      <div className="flex gap-2">
        <Input id={id} readOnly value={link} onFocus={(event) => event.target.select()} className="min-w-0 flex-1" />
        <Button size="icon" aria-label="Copy the link" title="Copy" onClick={() => void copyText(link, 'Link Copied')}>
          <Copy className="size-4" aria-hidden />
        </Button>
      </div>
    </div>
  )
}

export function AllowLinks({ board }: { board: Board }) {
  const update = useUpdateBoard(board.id, 'invite links')
  if (!mayEditBoard(useViewer(), board)) return null
  return (
    <div className="border-line border-t pt-3 text-small">
      <Switch
        label="Invite links"
        text="Members can create links that let anyone join."
        on={board.inviteLinks}
        onChange={(inviteLinks) => void update.run({ inviteLinks })}
      />
    </div>
  )
}
