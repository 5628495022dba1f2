import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { InvitedBoard } from '../schema'
import { type InviteAddress, useDecline } from './cache'
import { INVITE_CARD } from './InvitationError'

export function Decline({ address, onDeclined }: { address: InviteAddress; onDeclined(): void }) {
  const [asking, setAsking] = useState(false)
  const decline = useDecline(address, onDeclined)
  return (
    <>
      <Button look="quiet" size="large" busy={decline.isPending} onClick={() => setAsking(true)}>
        Decline
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Decline this invitation?"
        text="Nobody can join by this invitation any more. Whoever invited you is told, and may send another."
        action="Decline"
        busy={decline.isPending}
        onConfirm={() => decline.mutate(undefined, { onSettled: () => setAsking(false) })}
      />
    </>
  )
}

export const Declined = ({ board }: { board: InvitedBoard }) => (
  <section className={INVITE_CARD} role="status">
    <div className="flex flex-col gap-2">
      <h1 tabIndex={-1} className="rounded-card font-strong text-title">
        Invitation Declined
      </h1>
      <p className="wrap-anywhere text-pretty">
        You have not joined “<bdi>{board.name}</bdi>”, and the invitation no longer works.
      </p>
    </div>
    <Button asChild className="self-start">
      <Link to="/">Go to Home</Link>
    </Button>
  </section>
)
