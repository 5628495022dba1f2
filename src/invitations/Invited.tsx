import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLogout, useSession } from '../auth/cache'
import { keepInviteRedirect, takeInviteRedirect } from '../auth/inviteRedirect'
import { Avatar } from '../users/Avatar'
import { displayName, type OwnUser } from '../users/inputs'
import { Button } from '../web/ui/Button'
import { type InviteAddress, reasonNotJoined, useJoin } from './cache'
import { INVITE_CARD, InvitationError } from './InvitationError'
import type { InvitedBoard } from './inputs'

type Props = { address: InviteAddress; board: InvitedBoard; email?: string; expiresAt?: string }

/** An invitation that can be accepted: by whom, as whom, until when (contract.md, section 3). */
export function Invited(props: Props) {
  const user = useSession()
  return user ? <SignedIn {...props} user={user} /> : <SignedOut {...props} />
}

function SignedIn({ user, ...props }: Props & { user: OwnUser }) {
  const { address, board, email } = props
  const navigate = useNavigate()
  const join = useJoin(
    address,
    board,
    ({ id }) => void navigate({ to: '/board/$boardId', params: { boardId: id }, replace: true }),
  )
  if (join.error)
    return (
      <InvitationError reason={reasonNotJoined(join.error)}>
        <Button onClick={() => join.reset()}>Try again</Button>
        <UseAnotherAccount />
      </InvitationError>
    )
  return (
    <Card {...props}>
      <section aria-label="Your account" className="flex items-center gap-3">
        <Avatar user={user} size="md" />
        <p className="min-w-0 flex-1">
          <span className="block text-quiet text-small">You join as</span>
          <bdi className="block truncate font-strong">{displayName(user)}</bdi>
          <bdi className="block truncate text-quiet">{user.email}</bdi>
        </p>
      </section>
      {email && email !== user.email && (
        <p role="note" className="wrap-anywhere text-pretty rounded-card bg-accent-soft px-3 py-2">
          This invitation was sent to <bdi className="font-strong">{email}</bdi>, which is not the address of this account. You
          can join with it all the same; whoever invited you is told who came.
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button look="primary" size="large" busy={join.isPending} onClick={() => join.mutate()}>
          {join.isPending ? 'Joining...' : 'Join Board'}
        </Button>
        <UseAnotherAccount />
      </div>
    </Card>
  )
}

function SignedOut(props: Props) {
  return (
    <Card {...props}>
      <div className="flex flex-col gap-3">
        <Button asChild look="primary" size="large">
          <Link to="/login" onClick={keepInviteRedirect}>
            Sign in to accept
          </Link>
        </Button>
        <p className="text-pretty text-center text-quiet">No account yet? You can create one there, and come back here.</p>
      </div>
    </Card>
  )
}

/** Signs out and comes back here as whoever signs in then. */
function UseAnotherAccount() {
  const logout = useLogout()
  const leave = () => {
    keepInviteRedirect()
    logout.mutate(undefined, { onError: () => void takeInviteRedirect() })
  }
  return (
    <Button look="quiet" size="large" busy={logout.isPending} onClick={leave}>
      Use another account
    </Button>
  )
}

const Card = ({ board, email, expiresAt, children }: Props & { children: ReactNode }) => (
  <section className={INVITE_CARD} aria-labelledby="invited">
    <div className="flex flex-col gap-4">
      <h1 id="invited" className="text-quiet">
        You've Been Invited
      </h1>
      <p className="flex items-start gap-3">
        <BoardSign />
        <bdi className="wrap-anywhere min-w-0 text-balance font-strong text-title">{board.name}</bdi>
      </p>
      {email && (
        <p className="wrap-anywhere text-quiet text-small">
          Sent to <bdi>{email}</bdi>
          {expiresAt && <> · works until {DAY.format(new Date(expiresAt))}</>}
        </p>
      )}
    </div>
    {children}
  </section>
)

const DAY = new Intl.DateTimeFormat('en-CA', { dateStyle: 'long' })

/** A board, as it is seen from afar. */
const BoardSign = () => (
  <span aria-hidden className="mt-1 flex h-5 shrink-0 gap-0.5">
    <span className="w-1.5 rounded-xs bg-todo" />
    <span className="h-3/5 w-1.5 rounded-xs bg-inprogress" />
    <span className="h-4/5 w-1.5 rounded-xs bg-done" />
  </span>
)
