import { Navigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../../auth/cache'
import { inviteRedirect, takeInviteRedirect } from '../../auth/inviteRedirect'
import { FullScreenSpinner } from '../ui/Spinner'

const Dashboard = lazy(() => import('../../boards/Dashboard').then((module) => ({ default: module.Dashboard })))

/** Signed in: the dashboard; signed out: the landing page, which is no part of the app (product.md, section 2). */
export const Home = () => <Suspense fallback={<FullScreenSpinner />}>{useSession() ? <SignedIn /> : <ToLandingPage />}</Suspense>

/** Links in mails and providers sign in elsewhere and lead here: an invited person goes on from here. */
function SignedIn() {
  const [invited] = useState(inviteRedirect)
  useEffect(() => void takeInviteRedirect(), [])
  return invited ? <Navigate to="/" href={invited} replace /> : <Dashboard />
}

/** The server gives the landing page to whoever is signed out. */
function ToLandingPage() {
  useEffect(() => window.location.replace('/'), [])
  return <FullScreenSpinner />
}
