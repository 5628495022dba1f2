import { lazy, Suspense } from 'react'
import { useSession } from '../../auth/cache'
import { FullScreenSpinner } from '../ui/Spinner'

const Dashboard = lazy(() => import('../../boards/Dashboard').then((module) => ({ default: module.Dashboard })))
const Landing = lazy(() => import('./Landing').then((module) => ({ default: module.Landing })))

/** Signed out: the landing page; signed in: the dashboard (product.md, section 2). */
export const Home = () => <Suspense fallback={<FullScreenSpinner />}>{useSession() ? <Dashboard /> : <Landing />}</Suspense>
