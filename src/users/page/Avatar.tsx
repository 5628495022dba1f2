import * as Radix from 'radix-ui/avatar'
import { useState } from 'react'
import { DEFAULT_AVATAR, displayName, type UserSummary } from '../schema'
import { type AvatarProps, DRAWN, Initials, initials, RING, round } from './Initials'

/** Users without an image have initials in a colour of their own; one that cannot be loaded becomes the default. */
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
      <Radix.Fallback data-initials={initials(user)} className={DRAWN} />
    </Radix.Root>
  )
}

export const SHOWN = 5

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

export const More = ({ count, here = 0 }: { count: number; here?: number }) => (
  <span
    title={here > 0 ? `${here} more here` : undefined}
    className={`grid h-6 min-w-6 place-items-center rounded-full bg-hover px-1 font-strong text-[0.625rem] text-text ${here > 0 ? RING : ''}`}
  >
    +{count}
    {here > 0 && <span className="sr-only">, {here} of them here</span>}
  </span>
)
