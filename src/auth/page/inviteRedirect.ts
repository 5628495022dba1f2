const KEY = 'inviteRedirect'

/** Keeps the address that is open until whoever is invited has signed in, in whatever way (product.md, section 2). */
export const keepInviteRedirect = (): void => localStorage.setItem(KEY, window.location.href)

/** Where an invited person wanted to go before signing in; only a path of this site is followed. */
export function inviteRedirect(): string | null {
  const stored = localStorage.getItem(KEY)
  if (!stored || !URL.canParse(stored, window.location.origin)) return null
  const { origin, pathname, search, hash } = new URL(stored, window.location.origin)
  const ours = origin === window.location.origin && !pathname.startsWith('//')
  return ours ? pathname + search + hash : null
}

/** As `inviteRedirect`, once. */
export function takeInviteRedirect(): string | null {
  const path = inviteRedirect()
  localStorage.removeItem(KEY)
  return path
}
