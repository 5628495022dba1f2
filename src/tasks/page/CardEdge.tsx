import { createContext, use } from 'react'
import { useHereIn } from '../../boards/page/Presence'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'

export type Movers = ReadonlyMap<number, UserSummary>
export const NO_MOVERS: Movers = new Map()
export const MoversContext = createContext(NO_MOVERS)

const FACES = 3

/** Who moved the card, and who is in its task: on its upper edge, so that nothing of the card gives way. */
export function CardEdge({ taskId }: { taskId: number }) {
  const mover = use(MoversContext).get(taskId)
  const people = useHereIn(taskId)
  if (!mover && people.length === 0) return null
  return (
    <span className="pointer-events-none absolute -top-1.5 right-17 flex h-5 items-center gap-1.5" aria-hidden>
      {mover && (
        <bdi className="max-w-32 truncate rounded-card bg-text px-1.5 font-strong text-inverse text-small motion-safe:animate-named">
          {displayName(mover)}
        </bdi>
      )}
      {people.slice(0, FACES).map((user) => (
        <Avatar key={user.id} user={user} size="xs" className="border border-surface outline-2 outline-done" />
      ))}
    </span>
  )
}
