/** What somebody had open in this browser, the last first; it goes with their session. */
export type Recent = { boardId: number; taskId?: number; title?: string }

const KEY = 'recent'
const KEPT = 20

export function recentOf(userId: number): Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { userId: number; items: Recent[] } | null
    return kept?.userId === userId ? kept.items : []
  } catch {
    return []
  }
}

export function noteRecent(userId: number, item: Recent): void {
  const others = recentOf(userId).filter(({ boardId, taskId }) => boardId !== item.boardId || taskId !== item.taskId)
  localStorage.setItem(KEY, JSON.stringify({ userId, items: [item, ...others].slice(0, KEPT) }))
}

export const forgetRecent = (): void => localStorage.removeItem(KEY)
