import type { Checklist } from '../../checklist'
import { checklistIn } from '../../markdown'

/** Null in rows that are older than the counting. */
type Stored = { checklistDone: number | null; checklistAll: number | null; description: string | null }

/** What is stored beside a description, which nobody then reads to count. */
export function checklistCounts(description: string | null) {
  const { done, all } = checklistIn(description) ?? { done: 0, all: 0 }
  return { checklistDone: done, checklistAll: all }
}

export function storedChecklist({ checklistDone: done, checklistAll: all, description }: Stored): Checklist | undefined {
  if (done === null || all === null) return checklistIn(description)
  return all > 0 ? { done, all } : undefined
}
