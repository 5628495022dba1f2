import { Link, Navigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useEffect, useState } from 'react'
import { NewPasswordDialog } from '../../account/page/NewPassword'
import { returnUrl, takeReturnUrl } from '../../auth/page/returnUrl'
import { hasPasswordPrompt } from '../../auth/page/signIn'
import { PaymentNotice } from '../../billing/page/PaymentNotice'
import { UpgradeDialog, UpgradeLink } from '../../billing/page/Upgrade'
import { FirstBoard } from '../../boardStarters/page/FirstBoard'
import { useOwnBoards } from '../../boards/page/cache'
import { DeletedBoards } from '../../boards/page/DeletedBoards'
import { NewBoard } from '../../boards/page/NewBoard'
import { ImportStatus } from '../../imports/page/ImportStatus'
import { PageTitle } from '../../time/page/HeaderTimer'
import { BoardFacts } from '../../today/page/BoardFacts'
import { todayQuery, useToday } from '../../today/page/cache'
import { MyDay } from '../../today/page/MyDay'
import { useSession, useViewer } from '../../users/page/viewer'
import { queryClient } from '../../web/queryClient'
import { settings } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { FullScreenSpinner } from '../../web/ui/Spinner'
import { BoardGrid } from './BoardGrid'
import { DASHBOARD, DashboardPlaceholder, NOTICE_PLACE, NoBoards, Welcome } from './DashboardSkeleton'

export const beginDay = () => queryClient.prefetchQuery(todayQuery())

/** The landing page of signed-out visitors is not part of the app. */
export const Home = () => (useSession() ? <SignedIn /> : <ToLandingPage />)

/** Mails and providers lead here after a sign-in, so users go back from here to where they came from. */
function SignedIn() {
  const { id } = useViewer()
  const [path] = useState(() => returnUrl(id))
  // The way back waits for the new password.
  const [needsPassword, setNeedsPassword] = useState(hasPasswordPrompt)
  useEffect(() => {
    if (!needsPassword) takeReturnUrl()
  }, [needsPassword])
  const notice = usePaymentNotice()
  if (path && !notice && !needsPassword) return <Navigate to="/" href={path} replace />
  return (
    <>
      {needsPassword && <NewPasswordDialog onClose={() => setNeedsPassword(false)} />}
      <Dashboard notice={notice} />
    </>
  )
}

/** The address loses the parameters at once; the notice stays while the dashboard is shown. */
function usePaymentNotice() {
  const search = useSearch({ from: '/' })
  const [{ payment_success: came, redirect_status: outcome }] = useState(search)
  const place = <div className={NOTICE_PLACE} aria-busy />
  return came && settings().hasPlans && <PaymentNotice place={place} failed={outcome === 'failed' || outcome === 'canceled'} />
}

/** The server answers `/` with the landing page when nobody is signed in. */
function ToLandingPage() {
  useEffect(() => window.location.replace('/'), [])
  return <FullScreenSpinner />
}

export const NewBoardPage = () => <Dashboard creating />

type Props = { creating?: boolean; notice?: ReactNode }

function Dashboard({ creating = false, notice }: Props) {
  const user = useViewer()
  const boards = useOwnBoards()
  const today = useToday()
  const facts = new Map(today.data?.boards.map((board) => [board.id, board]))
  const [offersPro, setOffersPro] = useState(false)
  return (
    <>
      <PageTitle>Dashboard</PageTitle>
      <div className={DASHBOARD}>
        {notice}
        <Welcome user={user} hasPlans={settings().hasPlans} status={<ImportStatus />}>
          {!user.isPro && (
            <Button asChild>
              <UpgradeLink>Upgrade to Pro</UpgradeLink>
            </Button>
          )}
          <Button asChild>
            <Link to="/import">Import</Link>
          </Button>
          <NewBoard openAtOnce={creating}>
            {(open) => (
              <Button look={boards.data?.length === 0 ? 'plain' : 'primary'} onClick={open}>
                <Plus className="size-4" aria-hidden />
                New Board
              </Button>
            )}
          </NewBoard>
        </Welcome>
        {boards.data?.length === 0 ? (
          <NoBoards>
            <FirstBoard />
          </NoBoards>
        ) : boards.data ? (
          <>
            <MyDay today={today} boards={boards.data} />
            <BoardGrid boards={boards.data} more={(board) => <BoardFacts board={board} facts={facts.get(board.id)} />} />
          </>
        ) : boards.isError ? (
          <BoardsNotLoaded retry={() => void boards.refetch()} />
        ) : (
          <DashboardPlaceholder />
        )}
        <DeletedBoards onLimit={() => setOffersPro(true)} />
        {offersPro && <UpgradeDialog open onOpenChange={setOffersPro} />}
      </div>
    </>
  )
}

const BoardsNotLoaded = ({ retry }: { retry(): void }) => (
  <section className="flex flex-col items-center gap-4 rounded-panel bg-column px-6 py-16 text-center" role="alert">
    <p className="text-quiet">Your boards could not be loaded.</p>
    <Button onClick={retry}>Try again</Button>
  </section>
)
