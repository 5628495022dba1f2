import { useState } from 'react'
import { DEFAULT_AVATAR, displayName, type OwnUser, type UserSummary } from '../schema'

/** Users without an image get coloured initials; an image that fails to load becomes the default. */
export function Avatar(props: AvatarProps) {
  const { user, className = '' } = props
  const [failed, setFailed] = useState<string[]>([])
  const [loaded, setLoaded] = useState<string>()
  // A board has hundreds: those without an image are one span.
  const src = user.avatar === DEFAULT_AVATAR ? undefined : [user.avatar, DEFAULT_AVATAR].find((path) => !failed.includes(path))
  if (!src) return <Initials {...props} />
  return (
    <span
      {...avatarProps({ ...props, className: `relative ${loaded === src ? '' : DRAWN} ${className}` })}
      data-initials={initials(user)}
    >
      <img
        src={src}
        alt=""
        onLoad={() => setLoaded(src)}
        onError={() => setFailed((before) => [...before, src])}
        className="absolute inset-0 size-full rounded-full object-cover"
      />
    </span>
  )
}

export const FACES_SHOWN = 5

/** On a card: with the browser's own tooltips, because a board has thousands. */
export function Avatars({ users, className = '' }: { users: UserSummary[]; className?: string }) {
  if (users.length === 0) return null
  return (
    <span className="flex gap-0.5">
      {users.slice(0, FACES_SHOWN).map((user) => (
        <Avatar key={user.id} user={user} title={displayName(user)} className={className} />
      ))}
      {users.length > FACES_SHOWN && <MoreAvatars count={users.length - FACES_SHOWN} className={className} />}
    </span>
  )
}

export const MoreAvatars = ({ count, here = 0, className = '' }: { count: number; here?: number; className?: string }) => (
  <span
    title={here > 0 ? `${here} more here` : undefined}
    className={`grid h-6 min-w-6 place-items-center rounded-full bg-hover px-1 font-strong text-tiny text-text ${here > 0 ? RING : ''} ${className}`}
  >
    +{count}
    {here > 0 && <span className="sr-only">, {here} of them here</span>}
  </span>
)

const SIZES = {
  xs: 'size-5 text-tiny',
  sm: 'size-6 text-tiny',
  md: 'size-8 text-small',
  lg: 'size-16 text-title',
} as const
type AvatarSize = keyof typeof SIZES

/** Classes, because the public pages' security policy forbids inline styles. */
const HUES = [
  ...['bg-person-1', 'bg-person-2', 'bg-person-3', 'bg-person-4'],
  ...['bg-person-5', 'bg-person-6', 'bg-person-7', 'bg-person-8'],
]

type AvatarProps = { user: UserSummary; size?: AvatarSize; className?: string; title?: string; here?: boolean }

export const Initials = (props: AvatarProps) => (
  <span {...avatarProps({ ...props, className: `${DRAWN} ${props.className ?? ''}` })} data-initials={initials(props.user)} />
)

/** In CSS, so that the letters are not part of the text. */
const DRAWN = 'before:content-[attr(data-initials)]'

/** An outline leaves any background visible between it and the face. */
const RING = 'outline-2 outline-done outline-offset-1'

const avatarProps = ({ user, size = 'sm', className = '', title, here }: AvatarProps) => ({
  title,
  // Otherwise the letters would be its accessible name.
  ...(title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title }),
  className: `${here ? RING : ''} inline-grid shrink-0 select-none place-items-center rounded-full font-strong text-white ${HUES[user.id % HUES.length]} ${SIZES[size]} ${className}`,
})

function initials(user: UserSummary): string {
  const [first = '', second = ''] = displayName(user)
    .trim()
    .split(/[\s._-]+/)
  return [first, second]
    .map(([letter = '']) => letter)
    .join('')
    .toUpperCase()
}

export const AccountDetail = ({ user }: { user: OwnUser }) => (
  <dd className="flex gap-2">
    <Avatar user={user} className="-my-0.5" />
    <span className="min-w-0">
      <bdi className="block font-strong">{displayName(user)}</bdi>
      <bdi className="block">{user.email}</bdi>
    </span>
  </dd>
)
