const KEY = 'inviteRedirect'
const LIMITS = 'inviteRedirectLimits'
const INVITED = 'invited'

/** As long as the link works that confirms a new account. */
const KEPT_FOR_MS = 24 * 60 * 60_000

/** Who was signed in, if anybody, and until when it counts; an invitation counts for everyone, and until it is used. */
type Limits = { userId?: number; until?: number }

/** Remembers this address across a sign-in by any method: for this tab, and for the one that a mail opens. */
function keep(limits: Limits) {
  for (const storage of [sessionStorage, localStorage]) {
    storage.setItem(KEY, window.location.href)
    storage.setItem(LIMITS, JSON.stringify(limits))
  }
}

export const keepInviteRedirect = (): void => keep({})

/** Signing in leads to the dashboard by itself. */
export function keepWayBack(userId?: number): void {
  if (window.location.pathname !== '/') keep({ until: Date.now() + KEPT_FOR_MS, ...(userId !== undefined && { userId }) })
}

/** A path of this site, for whoever is signed in by now. */
export function wayBack(viewerId?: number): string | null {
  const storage = sessionStorage.getItem(KEY) === null ? localStorage : sessionStorage
  const stored = storage.getItem(KEY)
  // Stored above.
  const { userId, until = Number.POSITIVE_INFINITY } = JSON.parse(storage.getItem(LIMITS) ?? '{}') as Limits
  const isOthers = viewerId !== undefined && userId !== undefined && viewerId !== userId
  return stored === null || isOthers || until < Date.now() ? null : ownPath(stored)
}

function ownPath(address: string): string | null {
  if (!URL.canParse(address, window.location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, window.location.origin)
  const ours = origin === window.location.origin && !pathname.startsWith('//')
  return ours ? pathname + search + hash : null
}

export function takeWayBack(viewerId?: number): string | null {
  const path = wayBack(viewerId)
  for (const storage of [sessionStorage, localStorage]) for (const key of [KEY, LIMITS]) storage.removeItem(key)
  sessionStorage.removeItem(INVITED)
  return path
}

/** Whom the invitation is for and to which board, to be shown where one signs in. */
export type Invited = { email?: string | undefined; board?: string }

export const keepInvited = (invited: Invited): void => sessionStorage.setItem(INVITED, JSON.stringify(invited))

const isInvited = () => wayBack()?.startsWith('/invite') === true

/** Null where one did not come from an invitation. */
export function invited(): Invited | null {
  if (!isInvited()) return null
  // Stored above.
  return JSON.parse(sessionStorage.getItem(INVITED) ?? '{}') as Invited
}

/** The token of the invitation by which one came. */
export function invitationToken(): string | undefined {
  const path = wayBack()
  if (!path?.startsWith('/invite')) return undefined
  return new URL(path, window.location.origin).searchParams.get('token') ?? undefined
}

/** Whose HTML is not that of a login, for the page begins with what an invited person needs. */
export const INVITED_LOGIN = '/login?invited'

export const loginAddress = (): string => (isInvited() ? INVITED_LOGIN : '/login')
