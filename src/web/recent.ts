/** What somebody had open in this browser, the last first; it goes with their session. */
export type Recent = { boardId: number; taskId?: number; title?: string }

const KEY = 'recent'
const KEPT = 20

type Kept = { userId: number; items: Recent[] }

/** In the tab, unless the session is remembered. */
let isInTab = true
const place = () => (isInTab ? sessionStorage : localStorage)

export function keepRecentOf(userId: number, remembered: boolean): void {
  isInTab = !remembered
  if (!remembered || recentOf(userId).length === 0) forgetRecent()
}

/** What is kept beyond the tab. */
export const forgetRecent = (): void => localStorage.removeItem(KEY)

export function recentOf(userId: number): Recent[] {
  try {
    const kept = JSON.parse(place().getItem(KEY) ?? 'null') as Kept | null
    return kept?.userId === userId ? kept.items : []
  } catch {
    return []
  }
}

export function noteRecent(userId: number, item: Recent): void {
  const others = recentOf(userId).filter(({ boardId, taskId }) => boardId !== item.boardId || taskId !== item.taskId)
  place().setItem(KEY, JSON.stringify({ userId, items: [item, ...others].slice(0, KEPT) }))
}
