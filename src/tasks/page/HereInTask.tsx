import { useHereIn } from '../../boards/page/Presence'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'

const FACES = 3

/** Stands there empty, too: a screen reader tells who comes, and nothing moves. */
export function HereInTask({ taskId }: { taskId: number }) {
  const people = useHereIn(taskId)
  return (
    <div role="status" className="flex h-6 shrink-0 items-center gap-2 text-quiet text-small">
      <span className="flex gap-2" aria-hidden>
        {people.slice(0, FACES).map((user) => (
          <Avatar key={user.id} user={user} here title={displayName(user)} />
        ))}
      </span>
      {people.length > 0 && (
        <span dir="auto" className="max-sm:sr-only">
          {hereText(people)}
        </span>
      )}
    </div>
  )
}

function hereText(people: UserSummary[]): string {
  const [first = '', second = ''] = people.map(displayName)
  if (people.length === 1) return `${first} is here`
  if (people.length === 2) return `${first} and ${second} are here`
  return `${first} and ${people.length - 1} others are here`
}
