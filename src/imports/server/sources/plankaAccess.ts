export type PlankaAccess = { url: string; apiKey: string }

/** A key of version 2, or the token of a session, which is all that version 1 knows. */
export const isToken = (key: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)

export function baseOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
