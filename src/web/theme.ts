export type Theme = 'system' | 'light' | 'dark'

const COOKIE = /(?:^|;\s*)theme=(light|dark)\b/
const A_YEAR = 31_536_000
const listeners = new Set<() => void>()

export const chosenTheme = (): Theme => {
  const theme = COOKIE.exec(document.cookie)?.[1]
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** A cookie, so that the server's HTML has the theme already. */
export function chooseTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = theme === 'system' ? 'theme=; path=/; max-age=0' : `theme=${theme}; path=/; max-age=${A_YEAR}; samesite=lax`
  showTheme()
  for (const listener of listeners) listener()
}

/** Needed where the HTML came without a theme, as in development. */
export function showTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
