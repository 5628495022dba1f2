import { Link } from '@tanstack/react-router'
import { Avatar as Radix } from 'radix-ui'
import { Hint } from '../web/ui/Hint'
import { DEFAULT_AVATAR, displayName, type UserSummary } from './inputs'

const SIZES = { sm: 'size-6 text-[0.625rem]', md: 'size-8 text-small', lg: 'size-16 text-title' } as const
export type AvatarSize = keyof typeof SIZES

const HUES = ['#7a5bb8', '#2d7a86', '#a9612b', '#4a7a3a', '#a03b62', '#3c66a8', '#8a6a1f', '#5d5d6b']

const initials = (name: string) => {
  const [first = '', second = ''] = name.trim().split(/[\s._-]+/)
  return ((first[0] ?? '') + (second[0] ?? '')).toUpperCase()
}

/** A person's picture; without one, their initials in a colour of their own. */
export function Avatar({ user, size = 'sm', className = '' }: { user: UserSummary; size?: AvatarSize; className?: string }) {
  const own = user.avatar === DEFAULT_AVATAR ? undefined : user.avatar
  const look = {
    className: `inline-grid shrink-0 select-none place-items-center overflow-hidden rounded-full font-strong text-white ${SIZES[size]} ${className}`,
    style: { backgroundColor: HUES[user.id % HUES.length] },
  }
  // There are hundreds of them on a board: only those that wait for a picture need more than a span.
  if (!own) return <span {...look}>{initials(displayName(user))}</span>
  return (
    <Radix.Root {...look}>
      <Radix.Image src={own} alt="" className="size-full object-cover" />
      <Radix.Fallback>{initials(displayName(user))}</Radix.Fallback>
    </Radix.Root>
  )
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
              <Link to="/$username" params={{ username: user.username }} aria-label={displayName(user)} className={RING}>
                <Avatar user={user} size={size} />
              </Link>
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
