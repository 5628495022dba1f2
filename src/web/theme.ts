import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const root = document.documentElement
const listeners = new Set<() => void>()
const COOKIE = /(?:^|;\s*)theme=(light|dark)\b/
const A_YEAR = 31_536_000

const chosen = (): Theme => {
  const theme = COOKIE.exec(document.cookie)?.[1]
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function show(theme: Theme) {
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
}

/** Remembered in a cookie, so that the server's first answer has the theme already. */
export function chooseTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = theme === 'system' ? 'theme=; path=/; max-age=0' : `theme=${theme}; path=/; max-age=${A_YEAR}; samesite=lax`
  show(theme)
  for (const listener of listeners) listener()
}

/** Where the page is served without its theme, as in development. */
show(chosen())

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosen)
