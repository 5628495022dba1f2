import { z } from 'zod'
import { LINK_MINUTES, PASSWORD_MAX, password } from '../auth/schema'
import { id, text } from '../schema'

/** As short as it may be, and wrong: what was typed is compared, not judged. */
const anyPassword = z.string('Must be text').max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

/** The old password is needed except for 15 minutes after a reset link (contract.md, section 2). */
export const passwordChange = z.object({ newPassword: password, currentPassword: anyPassword.optional() })
export type PasswordChange = z.output<typeof passwordChange>

/** Without a password, one deletes an account within so many milliseconds of signing in. */
export const FRESH_FOR = LINK_MINUTES * 60_000

/** A browser that is signed in. */
const openSession = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  /** As the browser named itself; null where it did not. */
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
})
export type OpenSession = z.infer<typeof openSession>

export const sessionEnd = z.object({ sessionId: text(64) })

/** What the security page needs to know of one's account. */
export const security = z.object({
  hasPassword: z.boolean(),
  /** Whether setting a new password takes the old one. */
  needsCurrentPassword: z.boolean(),
  /** Deleting the account takes the password, or, without one, a sign-in of the last 15 minutes. */
  mayDelete: z.boolean(),
  sessions: z.array(openSession),
  /** What goes with the account: the boards that one created, and how many others are on each. */
  boards: z.array(z.object({ id, name: z.string(), others: z.number() })),
})
export type Security = z.infer<typeof security>

export const deletion = z.object({ password: anyPassword.optional() })
