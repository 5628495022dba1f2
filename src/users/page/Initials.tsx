import { displayName, type UserSummary } from '../schema'

const SIZES = {
  xs: 'size-5 text-[0.5625rem]',
  sm: 'size-6 text-[0.625rem]',
  md: 'size-8 text-small',
  lg: 'size-16 text-title',
} as const
type AvatarSize = keyof typeof SIZES

/** Classes, for the public pages' security policy forbids inline styles. */
const HUES = [
  ...['bg-person-1', 'bg-person-2', 'bg-person-3', 'bg-person-4'],
  ...['bg-person-5', 'bg-person-6', 'bg-person-7', 'bg-person-8'],
]

export type AvatarProps = { user: UserSummary; size?: AvatarSize; className?: string; title?: string; here?: boolean }

export const Initials = (props: AvatarProps) => (
  <span {...round({ ...props, className: `${DRAWN} ${props.className ?? ''}` })} data-initials={initials(props.user)} />
)

/** Painted, not written: what shows two letters bears the whole name. */
export const DRAWN = 'before:content-[attr(data-initials)]'

/** An outline, for what is between it and the face is then of any ground. */
export const RING = 'outline-2 outline-done outline-offset-1'

export const round = ({ user, size = 'sm', className = '', title, here }: AvatarProps) => ({
  title,
  // Else the letters that are painted would be its name.
  ...(title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title }),
  className: `${here ? RING : ''} inline-grid shrink-0 select-none place-items-center rounded-full font-strong text-white ${HUES[user.id % HUES.length]} ${SIZES[size]} ${className}`,
})

export function initials(user: UserSummary): string {
  const [first = '', second = ''] = displayName(user)
    .trim()
    .split(/[\s._-]+/)
  return ((first[0] ?? '') + (second[0] ?? '')).toUpperCase()
}
