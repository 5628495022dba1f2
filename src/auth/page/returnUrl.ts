import { clearStorages } from '../../web/personalStorage'

const KEY = 'inviteRedirect'
const LIMITS = 'inviteRedirectLimits'
const INVITED = 'invited'
const WAY_BACK = [KEY, LIMITS, INVITED]

/** Hours later it may be someone else. */
const KEPT_FOR_MS = 60 * 60_000

type Limits = { userId?: number | undefined; until: number }

/** Remembers this address across a sign-in, in this tab and for the tab that a mailed link opens. */
function keep(userId?: number) {
  const limits: Limits = { userId, until: Date.now() + KEPT_FOR_MS }
  for (const storage of [sessionStorage, localStorage]) {
    storage.setItem(KEY, window.location.href)
    storage.setItem(LIMITS, JSON.stringify(limits))
  }
}

export const keepInviteRedirect = (): void => keep()

/** Signing in leads to the dashboard anyway. */
export function keepReturnUrl(userId?: number): void {
  if (window.location.pathname !== '/') keep(userId)
}

/** Only for a tab opened by a mailed link, or by a link in a new tab. */
export function followReturnUrl(): void {
  if (sessionStorage.getItem(KEY) !== null || !counts(localStorage)) return
  for (const key of [KEY, LIMITS]) sessionStorage.setItem(key, localStorage.getItem(key) ?? '')
}

const limitsIn = (storage: Storage) => JSON.parse(storage.getItem(LIMITS) ?? '{}') as Partial<Limits>

const counts = (storage: Storage) => (limitsIn(storage).until ?? 0) > Date.now()

/** A path of this site, for the user who is signed in now. */
export function returnUrl(viewerId?: number): string | null {
  const stored = sessionStorage.getItem(KEY)
  const { userId } = limitsIn(sessionStorage)
  const isOthers = viewerId !== undefined && userId !== undefined && viewerId !== userId
  return stored === null || isOthers || !counts(sessionStorage) ? null : ownPath(stored)
}

function ownPath(address: string): string | null {
  if (!URL.canParse(address, window.location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, window.location.origin)
  const ours = origin === window.location.origin && !pathname.startsWith('//')
  return ours ? pathname + search + hash : null
}

export function takeReturnUrl(viewerId?: number): string | null {
  const path = returnUrl(viewerId)
  for (const storage of [sessionStorage, localStorage]) drop(storage)
  return path
}

function drop(storage: Storage) {
  for (const key of WAY_BACK) storage.removeItem(key)
}

/** When nobody is signed in, only the return URL and text typed in this tab stay. */
export async function forgetFormerUser(): Promise<void> {
  for (const storage of [sessionStorage, localStorage]) if (!counts(storage)) drop(storage)
  await clearStorages(WAY_BACK).catch((error: unknown) => console.warn('Some data may still be stored here', error))
}

/** The invitation's address and board, shown on the login page. */
export type Invited = { email?: string | undefined; board?: string }

export const keepInvited = (invited: Invited): void => sessionStorage.setItem(INVITED, JSON.stringify(invited))

const isInvited = () => returnUrl()?.startsWith('/invite') === true

export function invited(): Invited | null {
  if (!isInvited()) return null
  // Stored above.
  return JSON.parse(sessionStorage.getItem(INVITED) ?? '{}') as Invited
}

export function invitationToken(): string | undefined {
  const path = returnUrl()
  if (!path?.startsWith('/invite')) return undefined
  return new URL(path, window.location.origin).searchParams.get('token') ?? undefined
}

/** Not rendered by the server: only the browser knows the invitation. */
export const INVITED_LOGIN = '/login?invited'

export const loginAddress = (): string => (isInvited() ? INVITED_LOGIN : '/login')
