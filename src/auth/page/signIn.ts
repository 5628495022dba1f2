import { client } from '../../web/client'
import { refusalOf } from '../../web/refusal'
import { LONG_SHOWN_FOR, toast } from '../../web/toast'
import { useCall } from '../../web/useCall'
import { LINK_SENT, RESET_SENT, SETUP } from '../limits'
import type { Credentials, LinkRequest, Registration } from '../schema'
import { takeReturnUrl } from './returnUrl'

/** Back to the page that asked to sign in. A full load: the app is another document. */
const leaveForReturnUrl = ({ id }: { id: number }) => leaveTo(setupToken() ? window.location.href : (takeReturnUrl(id) ?? '/'))

function leaveTo(address: string): Promise<never> {
  window.location.replace(address)
  return new Promise(() => {})
}

const BAD_CREDENTIALS = 'Could not log in with those credentials. Please check and try again.'

async function setUp(token: string): Promise<never> {
  await client.auth.setUp.mutate({ token })
  toastOnArrival({
    title: 'You Are the Operator',
    description: 'To come back here, choose Operator in the sidebar. Only operators see it.',
  })
  return leaveTo('/operator')
}

export const useSetUp = () =>
  useCall(setUp, {
    failure: (error) => ({ title: 'Setup Failed', description: refusalOf(error)?.message || 'Please try again.' }),
  })

export const useLogin = () =>
  useCall((credentials: Credentials) => client.auth.login.mutate(credentials).then(leaveForReturnUrl), {
    failure: (error) => ({ title: 'Login Failed', description: refusalOf(error)?.message || BAD_CREDENTIALS }),
  })

export const isEmailTaken = (error: unknown) => /email already (in use|exists)/i.test(refusalOf(error)?.message ?? '')

const REGISTERED = {
  title: 'Registration Successful',
  description: 'Your account has been created and you are now logged in.',
}
const NOT_REGISTERED = 'Registration failed. Please try again.'

type EmailTaken = { logIn(): void; resetPassword(): void }

export const useRegister = ({ logIn, resetPassword }: EmailTaken, signsIn: boolean) =>
  useCall(
    async (registration: Registration) => {
      const user = await client.auth.register.mutate(registration)
      // If that fails, the page says why.
      if (registration.setup) return setUp(registration.setup).catch(() => leaveForReturnUrl(user))
      // An invitation by mail has already confirmed the address.
      if (!signsIn && !user.emailVerified) return user
      toastOnArrival(REGISTERED)
      return leaveForReturnUrl(user)
    },
    {
      failure: (error) =>
        isEmailTaken(error)
          ? {
              title: 'Email Already Registered',
              description: 'This email address is already registered',
              actions: [
                { label: 'Log In', run: logIn },
                { label: 'Reset Password', run: resetPassword },
              ],
              duration: LONG_SHOWN_FOR,
            }
          : { title: 'Registration Failed', description: refusalOf(error)?.message || NOT_REGISTERED },
    },
  )

export const useForgotPassword = () =>
  useCall(({ email }: LinkRequest) => client.auth.forgotPassword.mutate({ email }), {
    success: { title: 'Password Reset Email Sent', description: RESET_SENT },
    ...REQUEST_FAILED,
  })

export const useMagicLink = () =>
  useCall((request: LinkRequest) => client.auth.magicLink.mutate(request), {
    success: { title: 'Sign-in Link Sent', description: LINK_SENT },
    ...REQUEST_FAILED,
  })

export function useDevLogin() {
  const login = useCall(() => client.auth.devLogin.mutate().then(({ user }) => leaveForReturnUrl(user)), {
    failure: { title: 'Login Failed', description: 'Could not authenticate with dev login. Please try again.' },
  })
  const run = async () => {
    const { error } = await login.run(undefined)
    if (error) window.location.assign('/api/auth/dev-login?returnUrl=/')
  }
  return { ...login, run }
}

export const REQUEST_FAILED = {
  failure: (error: unknown) => ({
    title: 'Request Failed',
    description: refusalOf(error)?.message || 'Could not process your request. Please try again later.',
  }),
}

/** The token in the address of the setup page; none on the server. */
export function setupToken(): string | undefined {
  if (typeof window === 'undefined' || window.location.pathname !== SETUP) return undefined
  return new URLSearchParams(window.location.search).get('token') ?? undefined
}

type ArrivalText = Parameters<typeof toast>[0]

const ARRIVAL_TOAST_KEY = 'arrivalToast'

export const toastOnArrival = (text: ArrivalText): void => sessionStorage.setItem(ARRIVAL_TOAST_KEY, JSON.stringify(text))

export function showArrivalToast(): void {
  const stored = sessionStorage.getItem(ARRIVAL_TOAST_KEY)
  sessionStorage.removeItem(ARRIVAL_TOAST_KEY)
  if (stored) toast(JSON.parse(stored) as ArrivalText)
}

const PASSWORD_PROMPT_KEY = 'chooseNewPassword'

export const keepPasswordPrompt = (): void => sessionStorage.setItem(PASSWORD_PROMPT_KEY, '1')
export const hasPasswordPrompt = (): boolean => sessionStorage.getItem(PASSWORD_PROMPT_KEY) !== null
export const forgetPasswordPrompt = (): void => sessionStorage.removeItem(PASSWORD_PROMPT_KEY)
