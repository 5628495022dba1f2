import { useMutation, useQuery } from '@tanstack/react-query'
import type { OwnUser } from '../../users/schema'
import { queryClient } from '../../web/queryClient'
import { refusalOf } from '../../web/refusal'
import { connect, disconnect } from '../../web/socket'
import { LONG } from '../../web/toast'
import { type Credentials, LINK_SENT, type LinkRequest, RESET_SENT, type Registration } from '../schema'
import { authApi } from './api'

/** Asked for before the page is there (web/main.tsx): where that failed, the page says so rather than ask once more. */
export const sessionQuery = () => authApi.session.queryOptions(undefined, { retryOnMount: false })

/** The signed-in user; null when signed out, undefined while that is not known yet. */
export const useSession = (): OwnUser | null | undefined => useQuery(sessionQuery()).data

/** The signed-in user, on pages that are only shown to one. */
export function useViewer(): OwnUser {
  const user = useSession()
  if (!user) throw new Error('This part of the page is for signed-in users')
  return user
}

const rememberUser = (user: OwnUser): unknown => queryClient.setQueryData(sessionQuery().queryKey, user)

/** What the public pages need to know of this server; it cannot change while the page is open. */
export const useServerOptions = () => useQuery(authApi.options.queryOptions()).data

/** `arrive` decides where to go; it runs before the page knows that someone is signed in, and so moves on. */
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

/** Whether a registration was refused because its e-mail has an account. */
export const isEmailTaken = (error: unknown) => /email already (in use|exists)/i.test(refusalOf(error)?.message ?? '')

const NOT_REGISTERED = 'Could not create your account. Please try again.'

/** What a person can do whose e-mail turned out to have an account. */
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

/** Uses a link up; as a query, so that however often the page shows it, it is asked once. */
export const verifyQuery = (token: string, remember: boolean) => ({
  queryKey: ['verify', token],
  async queryFn() {
    // Before the server closes the channel of whoever was signed in, which would say that a session expired.
    disconnect()
    return authApi.verify.mutate({ token, remember })
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

/** How a mutation that ends this session leaves: before the server closes the channel, which says that a session expired. */
export const leavingTo = (path: string) => ({
  onMutate: disconnect,
  onError: () => connect(),
  // A full load: nothing of this user stays in memory, nor their drafts in this tab.
  onSuccess: () => {
    sessionStorage.clear()
    window.location.assign(path)
  },
})

export const useLogout = () =>
  useMutation({
    mutationFn: () => authApi.logout.mutate(),
    ...leavingTo('/login'),
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })
