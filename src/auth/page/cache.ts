import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy } from '../../lazy'
import { sessionQuery } from '../../users/page/viewer'
import { client } from '../../web/client'
import { connect, disconnect, type Handlers } from '../../web/live/socket'
import { forgetAnswers } from '../../web/live/storedAnswers'
import { forgetChanges, keepChangesInTab } from '../../web/live/storedChanges'
import { queryClient, trpc } from '../../web/queryClient'
import { CONFIRM_SENT } from '../limits'
import { forgetFormerUser, keepReturnUrl, loginAddress } from './returnUrl'
import { REQUEST_FAILED } from './signIn'

export const useServerOptions = () => useQuery(trpc.auth.options.queryOptions()).data

export const useConfirmEmail = ({ sent }: { sent(): void }) =>
  useMutation({
    mutationFn: () => client.auth.confirmEmail.mutate(),
    onSuccess: sent,
    onError: () => void queryClient.invalidateQueries(sessionQuery()),
    meta: { success: { title: 'Confirmation Sent', description: CONFIRM_SENT }, ...REQUEST_FAILED },
  })

/** For mutations that end the session. Disconnects first: a socket closed by the server reports an expired session. */
export const sessionEnding = (address: () => string) => ({
  onMutate() {
    noteLogout(true)
    disconnect()
  },
  onError() {
    noteLogout(false)
    connect()
  },
  async onSuccess() {
    await forgetEverything()
    window.location.assign(address())
  },
})

export const useLogout = (left = () => {}) =>
  useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    ...sessionEnding(() => {
      left()
      return loginAddress()
    }),
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })

const tabs = lazy(() => new BroadcastChannel('wrk sign-out'))

/** Tells the other tabs that their session is ending through a logout, or is not after all. */
const noteLogout = (isLogout: boolean): void => tabs().postMessage(isLogout)

let isLogout = false

export function listenForLogout(): void {
  tabs().onmessage = ({ data }: MessageEvent<boolean>) => {
    isLogout = data
  }
}

let isDisabled = false

export const authHandlers: Handlers = {
  account_disabled() {
    isDisabled = true
  },
}

async function forgetEverything(): Promise<void> {
  await Promise.allSettled([forgetAnswers(), forgetChanges()])
  localStorage.clear()
  sessionStorage.clear()
}

let isLeaving = false

/** Goes to the login page and says why. Text typed in this tab is kept for the same user. */
export async function leaveEndedSession(userId: number): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  if (isLogout) await forgetEverything()
  else {
    await Promise.allSettled([keepChangesInTab(), forgetAnswers()])
    keepReturnUrl(userId)
    await forgetFormerUser()
  }
  const ended = isDisabled ? 'account_disabled' : 'session_expired'
  // In the address: signing out clears the storages of all tabs, perhaps only after this.
  window.location.replace(`/login?error=${isLogout ? 'signed_out' : ended}`)
}
