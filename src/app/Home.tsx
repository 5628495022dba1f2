import { Navigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession, useViewer } from '../auth/page/cache'
import { takeWayBack, wayBack } from '../auth/page/wayBack'
import { PaymentNotice } from '../billing/page/PaymentNotice'
import { Dashboard } from '../boards/page/Dashboard'
import { NOTICE_PLACE } from '../boards/page/DashboardSkeleton'
import { todayQuery } from '../today/page/cache'
import { queryClient } from '../web/queryClient'
import { settings } from '../web/settings'
import { FullScreenSpinner } from '../web/ui/Spinner'

/** What the page reads first, before it is drawn. */
export const beginDay = () => queryClient.prefetchQuery(todayQuery())

/** The landing page of signed-out visitors is no part of the app. */
export const Home = () => (useSession() ? <SignedIn /> : <ToLandingPage />)

/** Mails and providers lead here after a sign-in, so users go back from here to where they came from. */
function SignedIn() {
  const { id } = useViewer()
  const [path] = useState(() => wayBack(id))
  useEffect(() => void takeWayBack(), [])
  const notice = usePaymentNotice()
  return path && !notice ? <Navigate to="/" href={path} replace /> : <Dashboard notice={notice} />
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
