import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy } from '../../basics'
import type { OwnUser } from '../../users/schema'
import { client, PRELOADED } from '../../web/client'
import { connect, disconnect } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { trpc } from '../../web/trpc'
import { CONFIRM_SENT } from '../basics'
import { REQUEST_FAILED } from './requestFailed'
import { forgetEverything, noteLogout } from './sessionEnd'
import { loginAddress } from './wayBack'

/** Prefetched in app/start.tsx; after a failure the page says so instead of asking again. */
export const sessionQuery = lazy(() =>
  trpc.auth.session.queryOptions(undefined, { retryOnMount: false, meta: { kept: true }, trpc: PRELOADED }),
)

/** Takes no kept answer: what the server does not confirm is over. */
export async function confirmSession(): Promise<void> {
  const user = await client.auth.session.query().catch(() => null)
  queryClient.setQueryData(sessionQuery().queryKey, user)
}

/** Null when signed out, undefined while unknown. */
export const useSession = (): OwnUser | null | undefined => useQuery(sessionQuery()).data

let viewer: OwnUser | undefined

/** For components that are only shown to signed-in users; what is still drawn once the session is over is of whoever it was. */
export function useViewer(): OwnUser {
  viewer = useSession() ?? viewer
  if (!viewer) throw new Error('This part of the page is for signed-in users')
  return viewer
}

export const useServerOptions = () => useQuery(trpc.auth.options.queryOptions()).data

export const useConfirmEmail = ({ sent }: { sent(): void }) =>
  useMutation({
    mutationFn: () => client.auth.confirmEmail.mutate(),
    onSuccess: sent,
    onError: () => void queryClient.invalidateQueries(sessionQuery()),
    meta: { success: { title: 'Confirmation Sent', description: CONFIRM_SENT }, ...REQUEST_FAILED },
  })

/** For mutations that end the session. Disconnects first, for a socket closed by the server reports an expired session. */
export const leavingTo = (address: () => string) => ({
  onMutate() {
    noteLogout(true)
    disconnect()
  },
  onError() {
    noteLogout(false)
    connect()
  },
  // A full load and an empty storage leave nothing of this user behind.
  async onSuccess() {
    await forgetEverything()
    window.location.assign(address())
  },
})

/** `left` keeps what the next sign-in is for. */
export const useLogout = (left = () => {}) =>
  useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    ...leavingTo(() => {
      left()
      return loginAddress()
    }),
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })
