/** The documents without the app, for everyone. */
export const PUBLIC_PATHS = ['/', '/terms', '/privacy', '/refund'] as const
export type PublicPath = (typeof PUBLIC_PATHS)[number]

/** What public pages need to know; `isSignedIn` goes by the cookie, `supportEmail` is null without plans. */
export type Site = { origin: string; hasPlans: boolean; supportEmail: string | null; mayRegister: boolean; isSignedIn: boolean }

/** The screens that signed-in users open first, by the file that holds each. */
export const SCREENS = {
  dashboard: 'src/app/dashboard/Dashboard.tsx',
  board: 'src/app/board/BoardPage.tsx',
  profile: 'src/app/profile/ProfilePage.tsx',
  time: 'src/time/page/MyTimePage.tsx',
}

export type Screen = keyof typeof SCREENS

export function screenAt(path: string): Screen | undefined {
  if (path === '/') return 'dashboard'
  if (BOARD.test(path)) return 'board'
  if (path === '/time') return 'time'
  return /^\/[^/]{3,}$/.test(path) && !WITHOUT_SHELL.test(path) ? 'profile' : undefined
}

const WITHOUT_SHELL = /^\/(import|invite|operator|subscribe|unsubscribe)$/i
const BOARD = /^\/board\/(\d{1,10})$/

export const boardAt = (path: string): string | undefined => BOARD.exec(path)?.[1]

/** The page's first calls, which the browser can start before any script runs; `zone` is the viewer's. */
export function firstCalls(path: string, zone: string | undefined): string[] {
  const boardId = boardAt(path)
  const input = encodeURIComponent(JSON.stringify({ timeZone: zone }))
  const day = path === '/' && zone ? `/trpc/today.get?input=${input}` : []
  const snapshot = boardId === undefined ? [] : `/api/boards/${boardId}/snapshot`
  return ['/trpc/auth.session', '/trpc/boards.list', day, snapshot].flat()
}
