import { useMutation, useQuery } from '@tanstack/react-query'
import type { OwnUser } from '../users/inputs'
import { disconnect } from '../web/live'
import { client, queryClient, refusalOf, trpc } from '../web/trpc'
import type { Credentials, Registration } from './inputs'

export const sessionQuery = () => trpc.auth.session.queryOptions()

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
export const useServerOptions = () => useQuery(trpc.auth.options.queryOptions()).data

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
    mutationFn: (credentials: Credentials) => client.auth.login.mutate(credentials),
    onSuccess: arriving(arrival),
    meta: {
      failure: (error) => ({ title: 'Login Failed', description: refusalOf(error)?.message || BAD_CREDENTIALS }),
    },
  })

/** Whether a registration was refused because its e-mail has an account. */
export const isEmailTaken = (error: unknown) => /email already (in use|exists)/i.test(refusalOf(error)?.message ?? '')

const NOT_REGISTERED = 'Could not create your account. Please try again.'

/** `logIn` takes a person to the login form with the e-mail that turned out to have an account. */
export const useRegister = ({ logIn, ...arrival }: Arriving & { logIn(): void }) =>
  useMutation({
    mutationFn: (registration: Registration) => client.auth.register.mutate(registration),
    onSuccess: arriving(arrival),
    meta: {
      success: { title: 'Registration Successful', description: 'Your account has been created and you are now logged in.' },
      failure: (error) =>
        isEmailTaken(error)
          ? {
              title: 'Email Already Registered',
              description: 'This email address is already registered',
              action: { label: 'Log In', run: logIn },
            }
          : { title: 'Registration Failed', description: refusalOf(error)?.message || NOT_REGISTERED },
    },
  })

export const useDevLogin = (arrival: Arriving) =>
  useMutation({
    mutationFn: async () => (await client.auth.devLogin.mutate()).user,
    onSuccess: arriving(arrival),
    onError: () => window.location.assign('/api/auth/dev-login?returnUrl=/'),
    meta: {
      failure: { title: 'Login Failed', description: 'Could not authenticate with dev login. Please try again.' },
    },
  })

export const useLogout = () =>
  useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    onSuccess: () => {
      disconnect()
      // A full load: nothing of this user stays in memory.
      window.location.assign('/login')
    },
    meta: { failure: { title: 'Logout Failed', description: 'Could not log out. Please try again.' } },
  })
