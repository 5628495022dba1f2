import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy } from '../../basics'
import type { OwnUser } from '../../users/schema'
import { PRELOADED } from '../../web/calls'
import { forgetChanges } from '../../web/live/kept'
import { forgetAnswers } from '../../web/live/keptAnswers'
import { connect, disconnect } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { forgetRecent } from '../../web/recent'
import { CONFIRM_SENT } from '../basics'
import { authApi } from './api'
import { REQUEST_FAILED } from './requestFailed'
import { forgetLogout, noteLogout } from './sessionEnd'
import { loginAddress } from './wayBack'

/** Prefetched in app/start.tsx; after a failure the page says so instead of asking again. */
export const sessionQuery = lazy(() =>
  authApi.session.queryOptions(undefined, { retryOnMount: false, meta: { kept: true }, trpc: PRELOADED }),
)

/** Null when signed out, undefined while unknown. */
export const useSession = (): OwnUser | null | undefined => useQuery(sessionQuery()).data

let viewer: OwnUser | undefined

/** For components that are only shown to signed-in users; what is still drawn once the session is over is of whoever it was. */
export function useViewer(): OwnUser {
  viewer = useSession() ?? viewer
  if (!viewer) throw new Error('This part of the page is for signed-in users')
  return viewer
}

export const useServerOptions = () => useQuery(authApi.options.queryOptions()).data

export const useConfirmEmail = ({ sent }: { sent(): void }) =>
  useMutation({
    mutationFn: () => authApi.confirmEmail.mutate(),
    onSuccess: sent,
    onError: () => void queryClient.invalidateQueries(sessionQuery()),
    meta: { success: { title: 'Confirmation Sent', description: CONFIRM_SENT }, ...REQUEST_FAILED },
  })

/** For mutations that end the session. Disconnects first, for a socket closed by the server reports an expired session. */
export const leavingTo = (address: () => string) => ({
  onMutate: disconnect,
  onError: () => connect(),
  // A full load and an empty storage leave nothing of this user behind.
  onSuccess: async () => {
    sessionStorage.clear()
    forgetRecent()
    await Promise.allSettled([forgetAnswers(), forgetChanges()])
    window.location.assign(address())
  },
})

const leaving = leavingTo(loginAddress)

export const useLogout = () =>
  useMutation({
    mutationFn: () => authApi.logout.mutate(),
    ...leaving,
    onMutate: () => {
      noteLogout()
      leaving.onMutate()
    },
    onError: () => {
      forgetLogout()
      leaving.onError()
    },
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })
