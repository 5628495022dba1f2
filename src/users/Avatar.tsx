import { Link } from '@tanstack/react-router'
import { Avatar as Radix } from 'radix-ui'
import { type ComponentProps, useState } from 'react'
import { useSession } from '../auth/cache'
import { Hint } from '../web/ui/Hint'
import { type AvatarProps, type AvatarSize, Initials, initials, round, SIZES } from './Initials'
import { DEFAULT_AVATAR, displayName, type UserSummary } from './inputs'

/**
 * A person's picture; one that cannot be loaded is the default image (product.md, section 2). Who has none, and where not
 * even that can be loaded, is their initials in a colour of their own, for on a board all default images look alike.
 */
export function Avatar(props: AvatarProps) {
  const { user } = props
  const own = user.avatar === DEFAULT_AVATAR ? undefined : user.avatar
  const [missing, setMissing] = useState<string>()
  // There are hundreds of them on a board: only those that wait for a picture need more than a span.
  if (!own) return <Initials {...props} />
  return (
    <Radix.Root {...round(props)}>
      <Radix.Image
        src={own === missing ? DEFAULT_AVATAR : own}
        alt=""
        onLoadingStatusChange={(status) => status === 'error' && setMissing(own)}
        className="size-full object-cover"
      />
      <Radix.Fallback>{initials(user)}</Radix.Fallback>
    </Radix.Root>
  )
}

/** Leads to somebody's profile, and on one's own to its editing (product.md, section 2). */
function ProfileLink({ user, ...rest }: { user: UserSummary } & Omit<ComponentProps<'a'>, 'href'>) {
  const isOwn = useSession()?.id === user.id
  return <Link to="/$username" params={{ username: user.username }} search={isOwn ? { edit: true } : {}} {...rest} />
}

const RING = 'flex rounded-full ring-2 ring-surface'

type GroupProps = { users: UserSummary[]; size?: AvatarSize; max?: number; linked?: boolean }

/** Several people: 5 by default, then how many more; `linked` to their profiles (product.md, section 2). */
export function AvatarGroup({ users, size = 'sm', max = 5, linked }: GroupProps) {
  if (users.length === 0) return null
  const shown = users.slice(0, max)
  const more = users.length - shown.length
  return (
    <ul
      className={`isolate flex items-center ${linked ? 'gap-0.5' : '-space-x-0.5'}`}
      aria-label={users.map(displayName).join(', ')}
    >
      {shown.map((user, nth) => (
        // Earlier ones lie on top: no initials are hidden.
        <li key={user.id} className="relative flex" style={{ zIndex: shown.length - nth }}>
          {linked ? (
            <Hint text={displayName(user)}>
              <ProfileLink user={user} aria-label={displayName(user)} className={RING}>
                <Avatar user={user} size={size} />
              </ProfileLink>
            </Hint>
          ) : (
            // On cards the browser's own hint: making ours for each was a third of what scrolling cost.
            <span className={RING} title={displayName(user)}>
              <Avatar user={user} size={size} />
            </span>
          )}
        </li>
      ))}
      {more > 0 && (
        <li className={`grid place-items-center rounded-full bg-hover font-strong text-text ring-2 ring-surface ${SIZES[size]}`}>
          +{more}
        </li>
      )}
    </ul>
  )
}
