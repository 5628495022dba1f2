import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sessionQuery, useSession } from '../../auth/cache'
import { connect, listen } from '../live'
import { receive } from '../sync'
import { queryClient } from '../trpc'
import { FullScreenSpinner } from '../ui/Spinner'

/** Paths that everyone may see (product.md, section 2). */
const PUBLIC = new Set(['/', '/login', '/subscribe', '/terms', '/privacy', '/refund'])

export function Root() {
  const user = useSession()
  const { pathname } = useLocation()
  const signedIn = !!user
  const wasSignedIn = useRef(false)
  const away = user === null && (wasSignedIn.current || !PUBLIC.has(pathname))

  useEffect(() => {
    if (away) window.location.replace(wasSignedIn.current ? '/login?error=session_expired' : '/login')
  }, [away])

  useEffect(() => {
    if (!signedIn) return
    wasSignedIn.current = true
    const stop = listen(receive)
    connect(lookAgain)
    return stop
  }, [signedIn])

  if (user === undefined || away) return <FullScreenSpinner />
  return <Outlet />
}

const lookAgain = () => void queryClient.invalidateQueries(sessionQuery())
