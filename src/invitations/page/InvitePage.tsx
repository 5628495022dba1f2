import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import { takeReturnUrl } from '../../auth/page/returnUrl'
import { boardsQuery } from '../../boards/page/cache'
import { useSession } from '../../users/page/viewer'
import { MAX_ID } from '../../web/live/temporaryIds'
import { Button } from '../../web/ui/Button'
import { useHeadingFocus } from '../../web/ui/focus'
import { Logo, PublicFooter } from '../../web/ui/PublicFrame'
import { Spinner } from '../../web/ui/Spinner'
import type { InvitedBoard } from '../schema'
import { type InviteAddress, invitedQuery, isGone, reasonNotProcessed } from './cache'
import { Declined, INVITE_CARD, InvitationError, Invited } from './Invited'

export function InvitePage() {
  const address = addressIn(useLocation({ select: ({ searchStr }) => searchStr }))
  const supportEmail = useServerOptions()?.supportEmail
  const main = useHeadingFocus<HTMLElement>()
  return (
    <div className="mx-auto flex min-h-full max-w-6xl flex-col px-6 sm:px-8">
      <title>Invitation · wrk</title>
      <header className="flex min-h-22 items-center">
        <Link to="/" aria-label="wrk home page" className="rounded-card">
          <Logo />
        </Link>
      </header>
      <main ref={main} className="mx-auto flex w-full max-w-md flex-1 flex-col pt-[6vh] pb-16">
        {address ? <Invitation key={JSON.stringify(address)} address={address} /> : <InvitationError reason={NO_TOKEN} />}
      </main>
      <PublicFooter supportEmail={supportEmail} />
    </div>
  )
}

const NO_TOKEN = 'Invalid invitation link. No invitation token found.'

function addressIn(search: string): InviteAddress | null {
  const { token, board = '' } = Object.fromEntries(new URLSearchParams(search))
  if (token) return { token }
  const boardId = /^\d{1,10}$/.test(board) ? Number(board) : 0
  return boardId > 0 && boardId <= MAX_ID ? { boardId } : null
}

function Invitation({ address }: { address: InviteAddress }) {
  const user = useSession()
  const { data: invited, error, isFetching, refetch } = useQuery(invitedQuery(address))
  const boards = useQuery({ ...boardsQuery(), enabled: !!user })
  const [declined, setDeclined] = useState<InvitedBoard>()
  if (declined) return <Declined board={declined} />
  if (error && !isFetching)
    return (
      <InvitationError reason={reasonNotProcessed(error)}>
        {!isGone(error) && <Button onClick={() => void refetch()}>Try again</Button>}
      </InvitationError>
    )
  if (!invited || boards.isLoading) return <Processing />
  const isMember = boards.data?.some(({ id }) => id === invited.board.id)
  if (isMember) return <ToBoard boardId={invited.board.id} />
  return <Invited address={address} {...invited} onDeclined={() => setDeclined(invited.board)} />
}

/** A live message may announce the join before the call is answered: the stored way back here is dropped. */
function ToBoard({ boardId }: { boardId: number }) {
  useEffect(() => void takeReturnUrl(), [])
  return <Navigate to="/board/$boardId" params={{ boardId }} replace />
}

const Processing = () => (
  <section className={INVITE_CARD} role="status">
    <h1 tabIndex={-1} className="flex items-center gap-3 rounded-card font-strong">
      <Spinner className="size-5 text-quiet" />
      Processing Invitation
    </h1>
  </section>
)
