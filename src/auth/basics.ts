/** Also how long a reset link allows a new password without the old one. */
export const LINK_MINUTES = 15
export const CONFIRM_HOURS = 24
/** Offline, nobody knows whether the session was ended elsewhere. */
export const OFFLINE_DAYS = 7

/** The same whether or not the account exists. */
export const RESET_SENT = 'If an account exists with that email, you will receive password reset instructions.'

export const LINK_SENT = 'If an account exists with that email, you will receive a sign-in link.'

export const CONFIRM_SENT = 'Another link is on its way to your email.'
/** The same whether or not somebody else has that email. */
export const CHANGE_SENT = 'Open the link that we mail there, in a browser in which you are signed in.'

export const ALREADY_CONFIRMED = 'Your email is confirmed already.'

export const ACCOUNT_DISABLED = 'This account is disabled. Please ask whoever runs this server.'
export const SIGN_UP_CLOSED = 'Nobody can make an account here. Please ask whoever runs this server.'
export const BY_INVITATION = 'Accounts here are by invitation: please open the link in the mail that invites you.'
export const BY_PROVIDER = 'There is nothing to register: sign in below, and your account is made by that.'
export const UNCONFIRMED = 'Please open the link that we mailed to you first. “Forgot password?” mails you another one.'

export const SETUP_OVER = 'This setup link was used, or a newer one was made. On the server, “wrk setup” prints another.'
export const PASSWORD_FIRST =
  'This account runs the server, and its email is not confirmed yet. Please sign in with its password, then open the link again.'

export const OPERATOR_UNCONFIRMED =
  'This account runs the server, and its email is not confirmed yet. Please sign in with its password, or ask for “wrk user prove” on the server.'

export const providerOnly = (name: string) => `Please sign in with ${name}: there are no passwords and no mailed links here.`

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)
export const domainRefusal = (domains: string[]) => `Accounts here are for emails at ${domains.join(' or ')}.`

export type SignUp = 'open' | 'invited' | 'closed'

export type Entrance = 'login' | 'register' | 'verify' | 'setup'

export const REGISTER = '/login?register'
export const SETUP = '/setup'

export function entranceAt({ pathname, search }: { pathname: string; search: string }): Entrance {
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
  /** Whether the URL has a setup token, with which anybody may register. */
  setup: boolean
}
