import { pageCookie, setPageCookie } from './pageCookie'

export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

export const chosenTheme = (): Theme => {
  const theme = pageCookie('theme')
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** A cookie, so that the server's HTML has the theme already. */
export function chooseTheme(theme: Theme): void {
  setPageCookie('theme', theme === 'system' ? '' : theme)
  showTheme()
  for (const listener of listeners) listener()
}

/** Needed where the HTML came without a theme, as from the service worker. */
export function showTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
