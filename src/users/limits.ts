export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const USERNAME_SHORT = 'Username must be at least 3 characters'
export const NAME_MAX = 80
export const DESCRIPTION_MAX = 1_000
export const USERNAME_TAKEN = 'Username already taken'
/** Former names lead to their owner and stay reserved. */
export const FORMER_DAYS = 90
export const FORMER_MAX = 10
export const TOO_MANY_NAMES = `You have changed your username ${FORMER_MAX} times in ${FORMER_DAYS} days. Please try again later.`

export const normalizeUsername = (typed: string) => typed.toLowerCase().replace(/\s+/g, '')

export const DEFAULT_AVATAR = '/images/default-profile.png'

export const summaryOf = <Person extends Record<'id' | 'username' | 'name' | 'avatar', unknown>>({
  id,
  username,
  name,
  avatar,
}: Person) => ({ id, username, name, avatar }) as Pick<Person, 'id' | 'username' | 'name' | 'avatar'>

export const displayName = (user: { name: string | null; username: string }) => user.name || user.username

/** Imported names have capital letters in their usernames; accounts do not. */
export const isName = ({ username }: { username: string }): boolean => username.startsWith('Name-')

const FORMER_MEMBER = /^Former member(?: ([1-9]\d{0,5}))?$/

/** The next former member's name: numbered, except for the first. */
export function formerMemberName(taken: Iterable<string>): string {
  const numbers = [...taken].map((name) => Number(FORMER_MEMBER.exec(name)?.[1] ?? 1))
  const next = Math.max(0, ...numbers) + 1
  return next === 1 ? 'Former member' : `Former member ${next}`
}

export const SEARCHED_ABOVE = 8

/** Turning the master switch off turns all off. */
export const applyMasterSwitch = <Changes extends { emailNotifications?: boolean | undefined }>(
  changes: Changes,
): Changes | (Changes & typeof ALL_OFF) => (changes.emailNotifications === false ? { ...changes, ...ALL_OFF } : changes)

const ALL_OFF = {
  emailNotifications: false,
  notifyTaskAssigned: false,
  notifyTaskCommented: false,
  notifyBoardUpdated: false,
  notifyTimeEntries: false,
} as const

export const ONLY_OPERATOR = 'This is the last operator. Make someone else an operator first.'

export const LARGEST_AVATAR = 5 * 2 ** 20
export const AVATAR_TOO_LARGE = 'Please select an image smaller than 5MB.'
export const AVATAR_NO_IMAGE = 'Please select an image file (JPEG, PNG, etc.).'

export type SupportOptions = { email: string; canBook: boolean; bookingUrl: string | null }

const TABS = ['notifications', 'subscription', 'support', 'security'] as const
export type ProfileTab = (typeof TABS)[number]
export const isProfileTab = (name: unknown): name is ProfileTab => TABS.some((tab) => tab === name)
