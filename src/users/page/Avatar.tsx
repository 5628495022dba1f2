import { Link } from '@tanstack/react-router'
import { Avatar as Radix } from 'radix-ui'
import { type ComponentProps, memo, useState } from 'react'
import { useSession } from '../../auth/page/cache'
import { Hint } from '../../web/ui/Hint'
import { DEFAULT_AVATAR, displayName, type UserSummary } from '../schema'
import { type AvatarProps, Initials, initials, round } from './Initials'

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

type GroupProps = { users: UserSummary[]; max?: number }

export const AvatarGroup = memo(function AvatarGroup({ users, max = SHOWN }: GroupProps) {
  return (
    <ul className="flex items-center gap-0.5" aria-label={users.map(displayName).join(', ')}>
      {users.slice(0, max).map((user) => (
        <li key={user.id} className="flex">
          <Hint text={displayName(user)}>
            <ProfileLink user={user} aria-label={displayName(user)} className="flex rounded-full">
              <Avatar user={user} />
            </ProfileLink>
          </Hint>
        </li>
      ))}
      {users.length > max && (
        <li className="flex">
          <More count={users.length - max} />
        </li>
      )}
    </ul>
  )
})

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

const More = ({ count }: { count: number }) => (
  <span className="grid h-6 min-w-6 place-items-center rounded-full bg-hover px-1 font-strong text-[0.625rem] text-text">
    +{count}
  </span>
)
