/** Also how long a reset link lets one set a password without the old one. */
export const LINK_MINUTES = 15
export const CONFIRM_HOURS = 24

/** The same whether or not there is such an account. */
export const RESET_SENT = 'If an account exists with that email, you will receive password reset instructions.'

export const LINK_SENT = 'If an account exists with that email, you will receive a sign-in link.'

export const CONFIRM_SENT = 'Another link is on its way to your e-mail.'
/** The same whether or not somebody else has that e-mail. */
export const CHANGE_SENT = 'Open the link that we mail there, in a browser in which you are signed in.'

export const ALREADY_CONFIRMED = 'Your e-mail is confirmed already.'

/** What the server tells the pages on which one signs in, in their HTML. */
export type SignInOptions = { devLogin: boolean; supportEmail: string; providers: { id: string; name: string }[] }
