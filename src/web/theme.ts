export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

export const chosenTheme = (): Theme => {
  const theme = pageCookie('theme')
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** A cookie, so that the server's HTML already has the theme. */
export function chooseTheme(theme: Theme): void {
  setPageCookie('theme', theme === 'system' ? '' : theme)
  showTheme()
  for (const listener of listeners) listener()
}

/** Needed if the HTML came without a theme, as from the service worker. */
export function showTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const A_YEAR = 31_536_000

/** Over https, under a name that no other site can set. Until it is set, the previous release's cookie counts. */
export function setPageCookie(name: string, value: string): void {
  const age = value === '' ? 0 : A_YEAR
  const isHttps = window.location.protocol === 'https:'
  // biome-ignore-start lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API
  if (isHttps) {
    document.cookie = `__Host-${name}=${value}; path=/; max-age=${age}; samesite=lax; secure`
    document.cookie = `${name}=; path=/; max-age=0`
  } else document.cookie = `${name}=${value}; path=/; max-age=${age}; samesite=lax`
  // biome-ignore-end lint/suspicious/noDocumentCookie: as above
}

export function pageCookie(name: string): string | undefined {
  const cookies = document.cookie.split('; ')
  const named = (prefix: string) => cookies.find((cookie) => cookie.startsWith(`${prefix}${name}=`))
  return (named('__Host-') ?? named(''))?.replace(/^[^=]*=/, '')
}
