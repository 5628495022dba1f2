const KEY = 'inviteRedirect'
const INVITED = 'invited'

/** Remembers the invitation's address across a sign-in by any method. */
export const keepInviteRedirect = (): void => localStorage.setItem(KEY, window.location.href)

export function inviteRedirect(): string | null {
  const stored = localStorage.getItem(KEY)
  if (!stored || !URL.canParse(stored, window.location.origin)) return null
  const { origin, pathname, search, hash } = new URL(stored, window.location.origin)
  const ours = origin === window.location.origin && !pathname.startsWith('//')
  return ours ? pathname + search + hash : null
}

export function takeInviteRedirect(): string | null {
  const path = inviteRedirect()
  localStorage.removeItem(KEY)
  sessionStorage.removeItem(INVITED)
  return path
}

/** Whom the invitation is for and to which board, to be shown where one signs in. */
export type Invited = { email?: string | undefined; board?: string }

export const keepInvited = (invited: Invited): void => sessionStorage.setItem(INVITED, JSON.stringify(invited))

/** Null where one did not come from an invitation. */
export function invited(): Invited | null {
  if (inviteRedirect() === null) return null
  // Stored above.
  return JSON.parse(sessionStorage.getItem(INVITED) ?? '{}') as Invited
}

/** Whose HTML is not that of a login, for the page begins with what an invited person needs. */
export const INVITED_LOGIN = '/login?invited'

export const loginAddress = (): string => (inviteRedirect() === null ? '/login' : INVITED_LOGIN)
