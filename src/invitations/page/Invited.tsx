import { Link, useNavigate } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ReactNode, useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import { LogOut } from '../../auth/page/LogOut'
import { INVITED_LOGIN, keepInvited, keepInviteRedirect } from '../../auth/page/returnUrl'
import { lazy } from '../../lazy'
import { AccountDetail, Avatar, Initials } from '../../users/page/Avatar'
import { useSession } from '../../users/page/viewer'
import { displayName, type OwnUser, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import type { InvitedBoard } from '../schema'
import { type InviteAddress, type InvitedTo, isGone, reasonNotJoined, useDecline, useJoin } from './cache'

type Props = InvitedTo & { address: InviteAddress; onDeclined(): void }

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
  if (join.error) return <NotJoined error={join.error} address={address} user={user} retry={() => join.reset()} />
  return (
    <InviteCard {...props} user={user}>
      {email && email !== user.email && (
        <p role="note" className="text-pretty rounded-card bg-column px-3 py-2.5">
          The invitation was sent to a different email address than this account’s. You can still join; the person who invited you
          will see who joined.
        </p>
      )}
      <div className="flex flex-col gap-2">
        <Button look="primary" busy={join.isPending} onClick={() => join.mutate()}>
          {join.isPending ? 'Joining...' : 'Join Board'}
        </Button>
        <DeclineByLink {...props} />
        <UseAnotherAccount onLeft={() => keepInvitation({ board })} />
      </div>
    </InviteCard>
  )
}

type NotJoinedProps = { error: unknown; address: InviteAddress; user: OwnUser; retry(): void }

/** An old link may be for another account. */
function NotJoined({ error, address, user, retry }: NotJoinedProps) {
  const isForAnother = isGone(error) && 'boardId' in address
  return (
    <InvitationError reason={reasonNotJoined(error)} note={isForAnother ? noteFor(user) : undefined}>
      {isForAnother && <UseAnotherAccount plain onLeft={keepInviteRedirect} />}
      {!isGone(error) && <Button onClick={retry}>Try again</Button>}
    </InvitationError>
  )
}

const noteFor = ({ email, emailVerified }: OwnUser) =>
  emailVerified
    ? `You are signed in as ${email}. The invitation may be for another of your email addresses.`
    : `Your email, ${email}, is not confirmed yet. Open the confirmation link we emailed you, then come back here.`

function SignedOut(props: Props) {
  const signUp = useServerOptions()?.signUp
  // An invite link is for no particular address.
  const mayRegister = signUp === 'open' || (signUp === 'invited' && props.email !== '')
  return (
    <InviteCard {...props}>
      <div className="flex flex-col gap-3">
        <Button asChild look="primary">
          <a href={INVITED_LOGIN} onClick={() => keepInvitation(props)}>
            Sign in to accept
          </a>
        </Button>
        {mayRegister && (
          <p className="text-balance text-center text-quiet">
            No account yet? Create one on the next page, and you’ll come back here.
          </p>
        )}
        <DeclineByLink {...props} />
      </div>
    </InviteCard>
  )
}

/** An old link only names a board, so only invited users can decline. */
const DeclineByLink = ({ address, email, inviter, onDeclined }: Props) =>
  isToPassOn(address, email) ? null : 'token' in address || inviter ? (
    <Decline address={address} onDeclined={onDeclined} />
  ) : (
    <p className="text-balance text-center text-quiet">
      This is an old link that does not say who it is for, so you cannot decline it. You can ignore it: you join only if you
      accept.
    </p>
  )

/** Others may join by the same link, so it cannot be declined. */
const isToPassOn = (address: InviteAddress, email: string | undefined) => 'token' in address && email === ''

function keepInvitation({ email, board }: Pick<InvitedTo, 'email' | 'board'>) {
  keepInviteRedirect()
  keepInvited({ email, board: board.name })
}

function UseAnotherAccount({ plain = false, onLeft }: { plain?: boolean; onLeft(): void }) {
  return (
    <LogOut onLeft={onLeft}>
      {(logOut, busy) => (
        <Button look={plain ? 'plain' : 'quiet'} busy={busy} onClick={logOut}>
          Use another account
        </Button>
      )}
    </LogOut>
  )
}

const InviteCard = ({
  board,
  email,
  inviter,
  expiresAt,
  user,
  children,
}: InvitedTo & { user?: OwnUser; children: ReactNode }) => (
  <section className={INVITE_CARD} aria-labelledby="invited">
    <div className="flex flex-col gap-3">
      <h1 id="invited" tabIndex={-1} className="rounded-card text-quiet">
        You've Been Invited
      </h1>
      {inviter && <Inviter user={inviter} signedIn={user !== undefined} />}
      <p className="flex items-start gap-3">
        <BoardSign />
        <bdi className="wrap-anywhere min-w-0 text-balance font-strong text-title">{board.name}</bdi>
      </p>
    </div>
    {(email || user || expiresAt) && (
      <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 [&>dt]:text-quiet">
        {email && (
          <>
            <dt>Sent to</dt>
            <dd>
              <bdi>{email}</bdi>
            </dd>
          </>
        )}
        {expiresAt && (
          <>
            <dt>Expires</dt>
            <dd>{dayFormat().format(new Date(expiresAt))}</dd>
          </>
        )}
        {user && <JoinsAs user={user} />}
      </dl>
    )}
    {children}
  </section>
)

const JoinsAs = ({ user }: { user: OwnUser }) => (
  <>
    <dt>You join as</dt>
    <AccountDetail user={user} />
  </>
)

/** Only signed-in users may load pictures. */
const Inviter = ({ user, signedIn }: { user: UserSummary; signedIn: boolean }) => (
  <p className="flex items-center gap-3">
    {signedIn ? <Avatar user={user} size="md" /> : <Initials user={user} size="md" />}
    <span className="wrap-anywhere min-w-0">
      <bdi className="font-strong">{displayName(user)}</bdi> invites you to
    </span>
  </p>
)

const dayFormat = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }))

const BoardSign = () => (
  <span aria-hidden className="mt-1 flex h-5 shrink-0 gap-0.5">
    <span className="w-1.5 rounded-xs bg-todo" />
    <span className="h-3/5 w-1.5 rounded-xs bg-inprogress" />
    <span className="h-4/5 w-1.5 rounded-xs bg-done" />
  </span>
)

function Decline({ address, onDeclined }: { address: InviteAddress; onDeclined(): void }) {
  const [asking, setAsking] = useState(false)
  const decline = useDecline(address, onDeclined)
  return (
    <>
      <Button look="quiet" busy={decline.isPending} onClick={() => setAsking(true)}>
        Decline
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Decline this invitation?"
        text="The invitation will stop working. We’ll tell the person who invited you, and they can send another."
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
      <h1 tabIndex={-1} className="rounded-card font-strong">
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

export const INVITE_CARD = 'flex flex-col gap-6 rounded-panel bg-surface p-6 shadow-card sm:p-8'

type InvitationErrorProps = { reason: string; note?: string | undefined; children?: ReactNode }

/** `children` are the buttons. */
export const InvitationError = ({ reason, note, children }: InvitationErrorProps) => (
  <section className={INVITE_CARD} role="alert">
    <CircleAlert className="size-8 text-danger" aria-hidden />
    <div className="flex flex-col gap-2">
      <h1 tabIndex={-1} className="rounded-card font-strong">
        Invitation Error
      </h1>
      <p className="text-pretty">{reason}</p>
      {note && <p className="wrap-anywhere text-pretty text-quiet">{note}</p>}
    </div>
    <div className="flex flex-wrap gap-2">
      {children}
      <Button asChild look={children ? 'quiet' : 'plain'}>
        <Link to="/">Go to Home</Link>
      </Button>
    </div>
  </section>
)
