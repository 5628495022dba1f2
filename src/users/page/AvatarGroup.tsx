import { type ComponentProps, memo } from 'react'
import { useSession } from '../../auth/page/cache'
import { Hint } from '../../web/ui/Hint'
import { displayName, type UserSummary } from '../schema'
import { Avatar, SHOWN } from './Avatar'
import { MorePeople } from './MorePeople'
import { PersonLink } from './PersonLink'

/** Leads to the profile; the viewer's own leads to its editing. */
function ProfileLink(props: ComponentProps<typeof PersonLink>) {
  return <PersonLink edit={useSession()?.id === props.user.id} {...props} />
}

type GroupProps = { users: UserSummary[]; here?: ReadonlySet<number>; max?: number }

/** With a ring around those who are `here`, who are shown before others where there are more than `max`. */
export const AvatarGroup = memo(function AvatarGroup({ users, here = NOBODY, max = SHOWN }: GroupProps) {
  const shown = here.size === 0 ? users.slice(0, max) : preferred(users, here, max)
  const rest = users.filter((user) => !shown.includes(user))
  const hidden = rest.filter(({ id }) => here.has(id)).length
  return (
    <ul className="flex items-center gap-2 max-sm:gap-0.5" aria-label={users.map(displayName).join(', ')}>
      {shown.map((user) => (
        <li key={user.id} className="flex">
          <Face user={user} here={here.has(user.id)} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="flex">
          <MorePeople users={users} here={here} count={rest.length} hidden={hidden} />
        </li>
      )}
    </ul>
  )
})

const NOBODY: ReadonlySet<number> = new Set()

/** In the order of all, so that no face changes its place among the others. */
function preferred(users: UserSummary[], here: ReadonlySet<number>, max: number): UserSummary[] {
  const first = users.toSorted((a, b) => Number(here.has(b.id)) - Number(here.has(a.id))).slice(0, max)
  return users.filter((user) => first.includes(user))
}

function Face({ user, here }: { user: UserSummary; here: boolean }) {
  const name = here ? `${displayName(user)} is here` : displayName(user)
  return (
    <Hint text={name}>
      <ProfileLink user={user} aria-label={name} className="flex rounded-full">
        <Avatar user={user} here={here} />
      </ProfileLink>
    </Hint>
  )
}
