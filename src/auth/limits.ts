export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 256

/** Also how long a reset link allows a new password without the old one. */
export const LINK_MINUTES = 15
export const CONFIRM_HOURS = 24
/** Offline, nobody knows whether the session was ended elsewhere. */
export const OFFLINE_DAYS = 7

/** The same whether or not the account exists. */
export const RESET_SENT = 'If an account exists with that email, you will receive password reset instructions.'

export const LINK_SENT = 'If an account exists with that email, you will receive a sign-in link.'

export const CONFIRM_SENT = 'We sent you another link.'
/** The same whether or not someone else has that email. */
export const CHANGE_SENT = 'Open the link we emailed to your new address, in a browser where you are signed in.'

export const ALREADY_CONFIRMED = 'Your email is already confirmed.'

export const ACCOUNT_DISABLED = 'This account is disabled. Please contact this server’s operator.'
export const SIGN_UP_CLOSED = 'Sign-up is closed. Please ask this server’s operator for an account.'
export const BY_INVITATION = 'Sign-up is by invitation. Please open the link in your invitation email.'
export const BY_PROVIDER = 'You don’t need to register: signing in below creates your account.'
export const UNCONFIRMED = 'To log in, open the link we emailed you. To get a new one, choose “Forgot password?”.'

export const SETUP_OVER = 'This setup link was already used or replaced. Run “wrk setup” on the server to get a new one.'
export const PASSWORD_FIRST =
  'This is an operator account, and its email is not confirmed yet. Please sign in with its password, then open the link again.'

export const OPERATOR_UNCONFIRMED =
  'This is an operator account, and its email is not confirmed yet. Please sign in with its password, or run “wrk user prove” on the server.'

export const providerOnly = (name: string) => `Please sign in with ${name}: this server does not use passwords or sign-in links.`

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)
export const domainRefusal = (domains: string[]) => `Accounts here need an email address at ${domains.join(' or ')}.`

export type SignUp = 'open' | 'invited' | 'closed'

export type SignInScreen = 'login' | 'register' | 'verify' | 'setup'

export const REGISTER = '/login?register'
export const SETUP = '/setup'

export function signInScreenAt({ pathname, search }: { pathname: string; search: string }): SignInScreen {
  if (pathname === '/auth/verify') return 'verify'
  if (pathname === SETUP) return 'setup'
  return new URLSearchParams(search).has('register') ? 'register' : 'login'
}

/** What the server puts into the HTML of the pages for signing in. */
export type SignInOptions = {
  host: string
  devLogin: boolean
  isSignedOut: boolean
  /** Null on a server without plans, which offers no support. */
  supportEmail: string | null
  providers: { id: string; name: string }[]
  signUp: SignUp
  /** Only addresses of these domains register, and are proven before signing in. */
  domains: string[] | null
  /** Whether there are passwords and mailed links. */
  passwords: boolean
  /** Whether the URL has a setup token, with which anyone may register. */
  setup: boolean
}
