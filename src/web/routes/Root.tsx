import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../../auth/cache'
import { receive } from '../../boards/cache'
import { connect, listen } from '../live'
import { FullScreenSpinner } from '../ui/Spinner'

/** Paths that everyone may see (product.md, section 2). */
const PUBLIC = new Set(['/', '/login', '/terms', '/privacy', '/refund', '/invite', '/auth/verify'])

export function Root() {
  const user = useSession()
  const { pathname } = useLocation()
  const away = user === null && !PUBLIC.has(pathname)

  useEffect(() => {
    if (away) window.location.replace('/login')
  }, [away])

  const signedIn = !!user
  useEffect(() => {
    if (!signedIn) return
    const stop = listen(receive)
    connect()
    return stop
  }, [signedIn])

  if (user === undefined || away) return <FullScreenSpinner />
  return <Outlet />
}
