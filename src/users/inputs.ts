import { z } from 'zod'
import { id } from '../inputs'

export const DEFAULT_AVATAR = '/images/default-profile.png'

/** What everyone on a board may know of a person. */
export const userSummary = z.object({
  id,
  username: z.string(),
  name: z.string().nullable(),
  avatar: z.string(),
})
export type UserSummary = z.infer<typeof userSummary>

/** What the signed-in person knows of themself. */
export const ownUser = userSummary.extend({
  email: z.string(),
  description: z.string().nullable(),
  isPro: z.boolean(),
  emailNotifications: z.boolean(),
  notifyTaskAssigned: z.boolean(),
  notifyTaskCommented: z.boolean(),
  notifyBoardUpdated: z.boolean(),
  notifyTimeEntries: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUser>

/** What any signed-in person may see of another (product.md, section 2, profile page). */
export const profile = userSummary.extend({ email: z.string(), description: z.string().nullable() })
export type Profile = z.infer<typeof profile>

/** The name to show: display falls back from name to username. */
export const displayName = (user: Pick<UserSummary, 'name' | 'username'>) => user.name || user.username
