import { Copy, Link } from 'lucide-react'
import { useId } from 'react'
import { mayEditBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { useUpdateBoard } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { copy } from '../../users/page/Copyable'
import { useLiveMessages } from '../../web/live/socket'
import { Button } from '../../web/ui/Button'
import { Input } from '../../web/ui/Field'
import { Switch } from '../../web/ui/Switch'
import { INVITATION_DAYS } from '../schema'
import { useMakeLink } from './cache'

/** A link by which anybody joins, to pass on. */
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
        <Button look="quiet" className="-ml-3" busy={link.isPending} onClick={() => link.mutate()}>
          <Link className="size-4" aria-hidden />
          Copy invite link
        </Button>
        <span className="text-quiet text-small">Works for {INVITATION_DAYS} days</span>
      </div>
      {link.data && <LinkField label="Anybody with an account joins by this link" link={link.data.link} />}
    </div>
  )
}

/** A link that is shown once, to be copied. */
export function LinkField({ label, link }: { label: string; link: string }) {
  const id = useId()
  return (
    <div className="flex animate-rise flex-col gap-1.5" role="status">
      <label htmlFor={id} className="text-pretty text-quiet text-small">
        {label}
      </label>
      <div className="flex gap-2">
        <Input id={id} readOnly value={link} onFocus={(event) => event.target.select()} className="min-w-0 flex-1" />
        <Button
          size="icon"
          aria-label="Copy the link"
          title="Copy"
          className="h-10"
          onClick={() => void copy(link, 'Link Copied')}
        >
          <Copy className="size-4" aria-hidden />
        </Button>
      </div>
    </div>
  )
}

/** For the board's creator. */
export function AllowLinks({ board }: { board: Board }) {
  const update = useUpdateBoard(board.id, 'invite links')
  if (!mayEditBoard(useViewer(), board)) return null
  return (
    <div className="border-line border-t pt-3 text-small">
      <Switch
        label="Invite links"
        text="Members may make links by which anybody joins."
        on={board.inviteLinks}
        onChange={(inviteLinks) => void update.run({ inviteLinks })}
      />
    </div>
  )
}
