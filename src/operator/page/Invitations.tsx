import { calendarDay } from '../../activity/page/display'
import { dayAt } from '../../basics'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import type { ListedInvitation } from '../schema'
import { useOperate } from './cache'
import { Listing, Mark, RowText } from './Listing'

export const Invitations = () => (
  <Listing
    name="invitations"
    find="Find invitations by email, username or board"
    empty="No invitation is open."
    read={(given) => client.operator.invitations.query(given)}
  >
    {(invitation) => <Row invitation={invitation} />}
  </Listing>
)

function Row({ invitation: { id, email, user, board, inviter, expiresAt } }: { invitation: ListedInvitation }) {
  const invited = email ?? (user ? displayName(user) : 'Anybody with a link')
  const revoke = useOperate(() => client.operator.revokeInvitation.mutate({ invitationId: id }), { title: 'Invitation Revoked' })
  const until = new Date(expiresAt)
  return (
    <>
      <RowText title={invited} text={`To “${board.name}”, by ${displayName(inviter)}`}>
        {until < new Date() && <Mark>Expired</Mark>}
      </RowText>
      <p className="tabular basis-44 text-quiet text-small max-sm:grow">Until {calendarDay(dayAt(until))}</p>
      <Button size="small" busy={revoke.isPending} onClick={() => revoke.mutate(undefined)} aria-label={`Revoke ${invited}`}>
        Revoke
      </Button>
    </>
  )
}
