import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sessionQuery } from '../../auth/cache'
import { connect, listen } from '../live'
import { receive } from '../sync'
import { queryClient } from '../trpc'
import { OutOfReach } from '../ui/OutOfReach'
import { FullScreenSpinner } from '../ui/Spinner'

/** Paths that everyone may see (product.md, section 2). */
const PUBLIC = new Set(['/', '/login', '/auth/verify', '/subscribe', '/terms', '/privacy', '/refund'])

export function Root() {
  const { data: user, error } = useQuery(sessionQuery())
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
    preloadPages()
    return stop
  }, [signedIn])

  if (user === undefined && error) return <OutOfReach retry={lookAgain} />
  if (user === undefined || away) return <FullScreenSpinner />
  return <Outlet />
}

/** So that the pages are there also when the server, for a moment, is not. */
const preloadPages = () => {
  const pages = [import('../../boards/BoardPage'), import('../../boards/Dashboard'), import('../../users/ProfilePage')]
  // Whoever goes there then is told.
  Promise.all(pages).catch(() => {})
}

const lookAgain = () => void queryClient.invalidateQueries(sessionQuery())
