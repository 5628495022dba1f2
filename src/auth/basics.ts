/** Also how long a reset link lets one set a password without the old one. */
export const LINK_MINUTES = 15
export const CONFIRM_HOURS = 24

/** The same whether or not there is such an account. */
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

export const providerOnly = (name: string) => `Please sign in with ${name}: there are no passwords and no mailed links here.`

export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)
export const domainRefusal = (domains: string[]) => `Accounts here are for emails at ${domains.join(' or ')}.`

export type SignUp = 'open' | 'invited' | 'closed'

/** The documents on which one signs in. */
export const ENTRANCES = ['login', 'register', 'verify'] as const
export type Entrance = (typeof ENTRANCES)[number]

export const REGISTER = '/login?register'

export function entranceAt({ pathname, search }: { pathname: string; search: string }): Entrance {
  if (pathname === '/auth/verify') return 'verify'
  return new URLSearchParams(search).has('register') ? 'register' : 'login'
}

/** What the server tells the pages on which one signs in, in their HTML. */
export type SignInOptions = {
  /** Under which they are reached, such as `wrk.example:8080`. */
  host: string
  devLogin: boolean
  supportEmail: string
  providers: { id: string; name: string }[]
  signUp: SignUp
  /** Of which an address must be to register, and proven before one is signed in. */
  domains: string[] | null
  /** Whether there are passwords and mailed links. */
  passwords: boolean
}
