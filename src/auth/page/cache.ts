import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { OwnUser } from '../../users/schema'
import { forgetChanges } from '../../web/live/kept'
import { forgetAnswers } from '../../web/live/keptAnswers'
import { connect, disconnect } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { LONG } from '../../web/toast'
import {
  CONFIRM_SENT,
  type Credentials,
  LINK_SENT,
  type LinkRequest,
  RESET_SENT,
  type Registration,
  type verification,
} from '../schema'
import { authApi } from './api'

/** Prefetched in app/main.tsx; after a failure the page says so instead of asking again. */
export const sessionQuery = () => authApi.session.queryOptions(undefined, { retryOnMount: false, meta: { kept: true } })

/** Null when signed out, undefined while unknown. */
export const useSession = (): OwnUser | null | undefined => useQuery(sessionQuery()).data

/** For components that are only shown to signed-in users. */
export function useViewer(): OwnUser {
  const user = useSession()
  if (!user) throw new Error('This part of the page is for signed-in users')
  return user
}

const rememberUser = (user: OwnUser): unknown => queryClient.setQueryData(sessionQuery().queryKey, user)

export const useServerOptions = () => useQuery(authApi.options.queryOptions()).data

/** Called before the page learns of the session, which would redirect it elsewhere. */
type Arriving = { arrive(): void }

const arriving =
  ({ arrive }: Arriving) =>
  (user: OwnUser) => {
    arrive()
    rememberUser(user)
  }

const BAD_CREDENTIALS = 'Could not log in with those credentials. Please check and try again.'

export const useLogin = (arrival: Arriving) =>
  useMutation({
    mutationFn: (credentials: Credentials) => authApi.login.mutate(credentials),
    onSuccess: arriving(arrival),
    meta: {
      failure: (error) => ({ title: 'Login Failed', description: refusalOf(error)?.message || BAD_CREDENTIALS }),
    },
  })

export const isEmailTaken = (error: unknown) => /email already (in use|exists)/i.test(refusalOf(error)?.message ?? '')

const NOT_REGISTERED = 'Could not create your account. Please try again.'

export type EmailTaken = { logIn(): void; resetPassword(): void }

export const useRegister = ({ logIn, resetPassword, ...arrival }: Arriving & EmailTaken) =>
  useMutation({
    mutationFn: (registration: Registration) => authApi.register.mutate(registration),
    onSuccess: arriving(arrival),
    meta: {
      success: { title: 'Registration Successful', description: 'Your account has been created and you are now logged in.' },
      failure: (error) =>
        isEmailTaken(error)
          ? {
              title: 'Email Already Registered',
              description: 'This email address is already registered',
              actions: [
                { label: 'Log In', run: logIn },
                { label: 'Reset Password', run: resetPassword },
              ],
              duration: LONG,
            }
          : { title: 'Registration Failed', description: refusalOf(error)?.message || NOT_REGISTERED },
    },
  })

const REQUEST_FAILED = {
  failure: (error: unknown) => ({
    title: 'Request Failed',
    description: refusalOf(error)?.message || 'Could not process your request. Please try again later.',
  }),
}

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (request: LinkRequest) => authApi.forgotPassword.mutate({ email: request.email }),
    meta: { success: { title: 'Password Reset Email Sent', description: RESET_SENT }, ...REQUEST_FAILED },
  })

export const useMagicLink = () =>
  useMutation({
    mutationFn: (request: LinkRequest) => authApi.magicLink.mutate(request),
    meta: { success: { title: 'Sign-in Link Sent', description: LINK_SENT }, ...REQUEST_FAILED },
  })

export const useConfirmEmail = ({ sent }: { sent(): void }) =>
  useMutation({
    mutationFn: () => authApi.confirmEmail.mutate(),
    onSuccess: sent,
    onError: () => void queryClient.invalidateQueries(sessionQuery()),
    meta: { success: { title: 'Confirmation Sent', description: CONFIRM_SENT }, ...REQUEST_FAILED },
  })

/** A query, so that the one-time link is used once however often the page renders. */
export const verifyQuery = (given: z.input<typeof verification>) => ({
  queryKey: ['verify', given],
  async queryFn() {
    // Before the server closes the socket of the former session, which would report it as expired.
    disconnect()
    return authApi.verify.mutate(given)
  },
  gcTime: Number.POSITIVE_INFINITY,
})

export const useDevLogin = (arrival: Arriving) =>
  useMutation({
    mutationFn: async () => (await authApi.devLogin.mutate()).user,
    onSuccess: arriving(arrival),
    onError: () => window.location.assign('/api/auth/dev-login?returnUrl=/'),
    meta: {
      failure: { title: 'Login Failed', description: 'Could not authenticate with dev login. Please try again.' },
    },
  })

/** For mutations that end the session. Disconnects first, for a socket closed by the server reports an expired session. */
export const leavingTo = (path: string) => ({
  onMutate: disconnect,
  onError: () => connect(),
  // A full load and an empty storage leave nothing of this user behind.
  onSuccess: async () => {
    sessionStorage.clear()
    await Promise.allSettled([forgetAnswers(), forgetChanges()])
    window.location.assign(path)
  },
})

export const useLogout = () =>
  useMutation({
    mutationFn: () => authApi.logout.mutate(),
    ...leavingTo('/login'),
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })
