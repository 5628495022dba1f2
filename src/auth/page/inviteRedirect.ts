const KEY = 'inviteRedirect'

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
  return path
}
