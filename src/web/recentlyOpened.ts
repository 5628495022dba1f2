/** What the user had open in this browser, latest first; deleted with their session. */
export type Recent = { boardId: number; taskId?: number; title?: string }

const KEY = 'recent'
const KEPT = 20

/** `until`: when the session can no longer be used offline, in milliseconds since 1970. */
type KeptRecent = { userId: number; until: number; items: Recent[] }

let until = 0
/** In the tab, unless the session is remembered. */
let isInTab = true
const place = () => (isInTab ? sessionStorage : localStorage)

export function keepRecentOf(userId: number, remembered: boolean, offlineUntil: number): void {
  isInTab = !remembered
  until = offlineUntil
  if (!remembered || recentOf(userId).length === 0) forgetRecent()
}

export const forgetRecent = (): void => localStorage.removeItem(KEY)

/** Empty once the session has ended. */
function keptIn(storage: Storage): KeptRecent | null {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? 'null') as KeptRecent | null
    return kept && kept.until > Date.now() ? kept : null
  } catch {
    return null
  }
}

export function forgetExpiredRecent(): void {
  if (!keptIn(localStorage)) forgetRecent()
}

export function recentOf(userId: number): Recent[] {
  const kept = keptIn(place())
  return kept?.userId === userId ? kept.items : []
}

export function noteRecent(userId: number, item: Recent): void {
  const others = recentOf(userId).filter(({ boardId, taskId }) => boardId !== item.boardId || taskId !== item.taskId)
  place().setItem(KEY, JSON.stringify({ userId, until, items: [item, ...others].slice(0, KEPT) } satisfies KeptRecent))
}
