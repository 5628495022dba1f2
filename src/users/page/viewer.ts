import { useQuery } from '@tanstack/react-query'
import { lazy } from '../../lazy'
import { client } from '../../web/client'
import { queryClient, trpc } from '../../web/queryClient'
import type { OwnUser } from '../schema'

/** Prefetched in app/start.tsx; after a failure the page shows it instead of asking again. */
export const sessionQuery = lazy(() => trpc.auth.session.queryOptions(undefined, { retryOnMount: false, meta: { kept: true } }))

/** Ignores the stored answer: if the server does not confirm the session, it is over. */
export async function confirmSession(): Promise<void> {
  const user = await client.auth.session.query().catch(() => null)
  queryClient.setQueryData(sessionQuery().queryKey, user)
}

/** Null when signed out, undefined while unknown. */
export const useSession = (): OwnUser | null | undefined => useQuery(sessionQuery()).data

let viewer: OwnUser | undefined

/** For components of signed-in users. Anything that still renders after the session keeps its user. */
export function useViewer(): OwnUser {
  viewer = useSession() ?? viewer
  if (!viewer) throw new Error('This part of the page is for signed-in users')
  return viewer
}
