import { Navigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../auth/page/cache'
import { inviteRedirect, takeInviteRedirect } from '../auth/page/inviteRedirect'
import { lazyComponent } from '../web/lazy'
import { FullScreenSpinner } from '../web/ui/Spinner'

const DashboardScreen = lazy(() => import('./DashboardScreen').then((module) => ({ default: module.DashboardScreen })))
const PaymentNotice = lazyComponent(() => import('../billing/page/PaymentNotice').then((module) => module.PaymentNotice))

/** Signed in: the dashboard; signed out: the landing page, which is no part of the app (product.md, section 2). */
export const Home = () => <Suspense fallback={<FullScreenSpinner />}>{useSession() ? <SignedIn /> : <ToLandingPage />}</Suspense>

/** Links in mails and providers sign in elsewhere and lead here: an invited person goes on from here. */
function SignedIn() {
  const [invited] = useState(inviteRedirect)
  useEffect(() => void takeInviteRedirect(), [])
  const notice = usePaymentNotice()
  return invited ? <Navigate to="/" href={invited} replace /> : <DashboardScreen notice={notice} />
}

/** For as long as the dashboard is shown: the address loses it at once. */
function usePaymentNotice() {
  const search = useSearch({ from: '/' })
  const [{ payment_success: came, redirect_status: outcome }] = useState(search)
  return came && <PaymentNotice failed={outcome === 'failed' || outcome === 'canceled'} />
}

/** The server gives the landing page to whoever is signed out. */
function ToLandingPage() {
  useEffect(() => window.location.replace('/'), [])
  return <FullScreenSpinner />
}
