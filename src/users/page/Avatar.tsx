import { Link } from '@tanstack/react-router'
import { Avatar as Radix } from 'radix-ui'
import { type ComponentProps, memo, useState } from 'react'
import { useSession } from '../../auth/page/cache'
import { Hint } from '../../web/ui/Hint'
import { DEFAULT_AVATAR, displayName, type UserSummary } from '../schema'
import { type AvatarProps, Initials, initials, RING, round } from './Initials'

/**
 * An image that cannot be loaded becomes the default one. Users without an image have initials in a colour of their own,
 * for on a board all default images look alike.
 */
export function Avatar(props: AvatarProps) {
  const { user } = props
  const own = user.avatar === DEFAULT_AVATAR ? undefined : user.avatar
  const [missing, setMissing] = useState<string>()
  // A board has hundreds: only those with an image need more than a span.
  if (!own) return <Initials {...props} />
  return (
    <Radix.Root {...round(props)}>
      <Radix.Image
        src={own === missing ? DEFAULT_AVATAR : own}
        alt=""
        onLoadingStatusChange={(status) => status === 'error' && setMissing(own)}
        className="size-full rounded-full object-cover"
      />
      <Radix.Fallback>{initials(user)}</Radix.Fallback>
    </Radix.Root>
  )
}

/** Leads to the profile; the viewer's own leads to its editing. */
function ProfileLink({ user, ...rest }: { user: UserSummary } & Omit<ComponentProps<'a'>, 'href'>) {
  const isOwn = useSession()?.id === user.id
  return <Link to="/$username" params={{ username: user.username }} search={isOwn ? { edit: true } : {}} {...rest} />
}

const SHOWN = 5

type GroupProps = { users: UserSummary[]; here?: ReadonlySet<number>; max?: number }

/** With a ring around those who are `here`, who are shown before others where there are more than `max`. */
export const AvatarGroup = memo(function AvatarGroup({ users, here = NOBODY, max = SHOWN }: GroupProps) {
  const shown = here.size === 0 ? users.slice(0, max) : preferred(users, here, max)
  const rest = users.filter((user) => !shown.includes(user))
  const hidden = rest.filter(({ id }) => here.has(id)).length
  return (
    <ul className="flex items-center gap-2" aria-label={users.map(displayName).join(', ')}>
      {shown.map((user) => (
        <li key={user.id} className="flex">
          <Face user={user} here={here.has(user.id)} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="flex">
          <More count={rest.length} here={hidden} />
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

/** On a card: with the browser's own hints, for a board has thousands. */
export function Avatars({ users }: { users: UserSummary[] }) {
  if (users.length === 0) return null
  return (
    <span className="flex gap-0.5">
      {users.slice(0, SHOWN).map((user) => (
        <Avatar key={user.id} user={user} title={displayName(user)} />
      ))}
      {users.length > SHOWN && <More count={users.length - SHOWN} />}
    </span>
  )
}

const More = ({ count, here = 0 }: { count: number; here?: number }) => (
  <span
    title={here > 0 ? `${here} more here` : undefined}
    className={`grid h-6 min-w-6 place-items-center rounded-full bg-hover px-1 font-strong text-[0.625rem] text-text ${here > 0 ? RING : ''}`}
  >
    +{count}
    {here > 0 && <span className="sr-only">, {here} of them here</span>}
  </span>
)
