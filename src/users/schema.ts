import { z } from 'zod'
import { WEEK_STARTS } from '../days'
import type { ToMembers, ToUser } from '../protocol'
import { id, optionalName, optionalText, success, text, withAsciiDomain } from '../schema'
import { DESCRIPTION_MAX, NAME_MAX, normalizeUsername, USERNAME_MAX, USERNAME_MIN, USERNAME_SHORT } from './limits'

export * from './limits'

const EMAIL_INVALID = 'Please enter a valid email address'
/** Zod's own, and top-level domains that are not ASCII. */
const EMAIL = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/

/** Names that are routes or could impersonate. */
const RESERVED = new Set(
  (
    'about account developer admin administrator api app assets auth billing blog board boards contact dashboard dev dev-login docs email error ' +
    'favicon.ico favicon.svg health help home images import imports index.html info invite login logout magic-link mail manifest.json manifest.webmanifest me metrics moderator new notifications null ' +
    'official oauth operator operators page postmaster pricing privacy pro profile public ready refund register robots.txt root security settings setup ' +
    'sitemap.xml staff static status stripe subscribe subscription support sw.js system team terms time trpc undefined unsubscribe uploads user users ' +
    'verify webhook wrk ws www'
  ).split(' '),
)

export const username = text(200)
  .transform(normalizeUsername)
  .pipe(
    z
      .string()
      .min(USERNAME_MIN, USERNAME_SHORT)
      .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters`)
      .regex(/^[a-z0-9]/, 'Username must start with a letter a–z or a digit')
      .regex(/^[a-z0-9._-]*$/, 'Username can only contain letters a–z, digits, dots, dashes and underscores')
      .refine((name) => !RESERVED.has(name), 'This username is not available'),
  )
  .describe(
    '3 to 30 characters: a-z, 0-9, dot, underscore or hyphen, starting with a letter or digit. Converted to lower case, and spaces are removed',
  )

export const email = text(254)
  .toLowerCase()
  .transform(withAsciiDomain)
  .pipe(
    z
      .string()
      .max(254)
      .pipe(z.email({ pattern: EMAIL, error: EMAIL_INVALID })),
  )
  .describe('Stored in lower case, with its domain as punycode')

export const userSummary = z.object({
  id,
  username: z.string(),
  name: z.string().nullable(),
  avatar: z.string(),
})
export type UserSummary = z.infer<typeof userSummary>

export const ownUser = userSummary.extend({
  email: z.string(),
  emailVerified: z.boolean(),
  description: z.string().nullable(),
  isPro: z.boolean(),
  emailNotifications: z.boolean(),
  notifyTaskAssigned: z.boolean(),
  notifyTaskCommented: z.boolean(),
  notifyBoardUpdated: z.boolean(),
  notifyTimeEntries: z.boolean(),
  showEmail: z.boolean(),
  weekStartsOn: z.enum(WEEK_STARTS),
  operator: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUser>

/** `email` is null if hidden. */
export const profile = userSummary.extend({
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  description: z.string().nullable(),
})
export type Profile = z.infer<typeof profile>

const flag = z.boolean('Must be true or false').optional()

export const notificationChanges = z.object({
  emailNotifications: flag,
  notifyTaskAssigned: flag,
  notifyTaskCommented: flag,
  notifyBoardUpdated: flag,
  notifyTimeEntries: flag,
})
export type NotificationChanges = z.output<typeof notificationChanges>
export const switchName = notificationChanges.keyof()
export type Switch = z.infer<typeof switchName>

export const profileChanges = notificationChanges.extend({
  name: optionalName(NAME_MAX),
  username: username.optional(),
  description: optionalText(DESCRIPTION_MAX),
  showEmail: flag,
  weekStartsOn: z.enum(WEEK_STARTS, `Must be one of ${WEEK_STARTS.join(', ')}`).optional(),
})
export type ProfileChanges = z.output<typeof profileChanges>

export const avatarUrl = z.object({ url: z.string() })
export const avatarRemoved = success.extend({ url: z.string() })

export type UserMessage =
  | ToUser<'current_user_updated', { user: OwnUser }>
  | ToUser<'account_disabled', object>
  | ToMembers<'user_profile_updated', { user: UserSummary }>

declare module '../protocol' {
  interface Messages {
    users: UserMessage
  }
}
