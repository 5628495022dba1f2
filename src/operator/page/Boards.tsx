import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayAt } from '../../days'
import { calendarDay } from '../../format'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import { trpc } from '../../web/queryClient'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { TryAgain } from '../../web/ui/Failure'
import { Select } from '../../web/ui/Field'
import type { Confirmation, ListedBoard, ListedInvitation } from '../schema'
import { Badge, Listing, RowText } from './Listing'
import { ConfirmForm, useOperatorChange } from './operatorCalls'

export const Boards = () => (
  <Listing
    name="boards"
    find="Find boards by name or creator"
    empty="No boards yet."
    read={(given) => client.operator.boards.query(given)}
  >
    {(board) => <BoardRow board={board} />}
  </Listing>
)

function BoardRow({ board }: { board: ListedBoard }) {
  const [open, setOpen] = useState(false)
  const { name, creator, members, tasks } = board
  return (
    <>
      <RowText title={name} text={`Created by ${displayName(creator)}`} />
      <p className="tabular basis-44 text-quiet text-small max-sm:grow">
        {members === 1 ? '1 member' : `${members} members`} · {tasks === 1 ? '1 task' : `${tasks} tasks`}
      </p>
      <Button size="small" disabled={members < 2} onClick={() => setOpen(true)} aria-label={`Hand over ${name}`}>
        Hand Over
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Hand over “${name}”`}
        description="Choose a member as its new creator, who can rename and delete it, remove members, and see hourly rates. We’ll email both the old and the new creator."
      >
        <HandOver board={board} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function HandOver({ board, onDone }: { board: ListedBoard; onDone(): void }) {
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...trpc.operator.members.queryOptions({ boardId: board.id }),
    staleTime: 0,
  })
  const [userId, setUserId] = useState(0)
  const handOver = useOperatorChange(
    (given: Confirmation) => client.operator.handOver.mutate({ ...given, boardId: board.id, userId }),
    {
      title: 'Board Handed Over',
    },
  )
  if (isError)
    return (
      <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
        Its members could not be loaded.
      </TryAgain>
    )
  return (
    <ConfirmForm action="Hand Over" call={handOver} disabled={userId === 0} onDone={onDone} onCancel={onDone}>
      <Select aria-label="Its creator" value={userId} onChange={(event) => setUserId(Number(event.target.value))}>
        <option value={0}>{data ? 'Choose a member' : 'Loading…'}</option>
        {data
          ?.filter(({ id }) => id !== board.creator.id)
          .map((member) => (
            <option key={member.id} value={member.id}>
              {displayName(member)}
            </option>
          ))}
      </Select>
    </ConfirmForm>
  )
}

export const Invitations = () => (
  <Listing
    name="invitations"
    find="Find invitations by email, username or board"
    empty="No open invitations."
    read={(given) => client.operator.invitations.query(given)}
  >
    {(invitation) => <InvitationRow invitation={invitation} />}
  </Listing>
)

function InvitationRow({ invitation: { id, email, user, board, inviter, expiresAt } }: { invitation: ListedInvitation }) {
  const invited = email ?? (user ? displayName(user) : 'Anyone with a link')
  const revoke = useOperatorChange(() => client.operator.revokeInvitation.mutate({ invitationId: id }), {
    title: 'Invitation Revoked',
  })
  const until = new Date(expiresAt)
  return (
    <>
      <RowText title={invited} text={`To “${board.name}”, by ${displayName(inviter)}`}>
        {until < new Date() && <Badge>Expired</Badge>}
      </RowText>
      <p className="tabular basis-44 text-quiet text-small max-sm:grow">Until {calendarDay(dayAt(until))}</p>
      <Button size="small" busy={revoke.isPending} onClick={() => revoke.mutate(undefined)} aria-label={`Revoke ${invited}`}>
        Revoke
      </Button>
    </>
  )
}
