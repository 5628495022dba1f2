import { STATUSES } from '../basics'
import type { BoardTask, TaskChanges } from '../schema'

export const EDITABLE = ['title', 'description', 'status'] as const
export type Editable = (typeof EDITABLE)[number]
/** As they are stored; a long description may not be known yet. */
export type Texts = { title: string; description: string | undefined; status: string }

/** Texts are not saved over what nobody has seen. */
export const baseOf = ({ revision }: BoardTask, { title, description }: Texts, changes: TaskChanges) => ({
  revision,
  ...(changes.title !== undefined && { title }),
  ...(changes.description !== undefined && { description: description || null }),
})

/** Only what differs from the task is sent, so that others' changes of other fields stay. */
export function changedFields(current: Texts, typed: Partial<Texts>): Pick<TaskChanges, Editable> {
  const status = STATUSES.find((known) => known === typed.status)
  return {
    ...(typed.title !== undefined && typed.title.trim() !== current.title && { title: typed.title.trim() }),
    ...(typed.description !== undefined &&
      typed.description.trim() !== current.description && { description: typed.description.trim() }),
    ...(status && status !== current.status && { status }),
  }
}
