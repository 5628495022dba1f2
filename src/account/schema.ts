import { z } from 'zod'
import { LINK_MINUTES, PASSWORD_MAX, password } from '../auth/schema'
import { id, text } from '../schema'
import { email, userSummary } from '../users/schema'

/** Compared, not validated. */
export const anyPassword = z.string('Must be text').max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

export const passwordChange = z.object({ newPassword: password, currentPassword: anyPassword.optional() })
export type PasswordChange = z.output<typeof passwordChange>

export const WRONG_PASSWORD = 'The current password is incorrect.'

export const emailChange = z.object({ email, password: anyPassword.optional() })
export type EmailChange = z.output<typeof emailChange>

export const sentAnswer = z.object({ success: z.literal(true), message: z.string() })

/** Without a password, deleting an account needs a sign-in this recent. */
export const FRESH_SIGN_IN_MS = LINK_MINUTES * 60_000

const openSession = z.object({
  id: z.string(),
  current: z.boolean(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  operatorActId: id.nullable().describe('The operator action that started it'),
})
export type OpenSession = z.infer<typeof openSession>

/** `by` is the operator's username, null for a command on the server. */
const operatorAct = z.object({
  id,
  did: z.enum(['made_link', 'link_used', 'changed_email', 'email_used', 'proved_email']),
  by: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type OperatorAct = z.infer<typeof operatorAct>

/** How long users see what operators did to their account, at least. */
export const OPERATOR_ACT_DAYS = 30

export const sessionEnd = z.object({ sessionId: text(64) })

/** In `boards`, `others` and `minutes` count the other members and their logged time. */
export const security = z.object({
  hasPassword: z.boolean(),
  needsCurrentPassword: z.boolean(),
  mayDelete: z.boolean(),
  sessions: z.array(openSession),
  operatorActs: z.array(operatorAct).describe('Operator actions in the last 30 days that allow signing in as you; newest first'),
  boards: z.array(z.object({ id, name: z.string(), others: z.number(), members: z.array(userSummary), minutes: z.number() })),
})
export type Security = z.infer<typeof security>

const HAND_OVER_ONCE = 'Choose only one person to take over each board.'

/** A body has 1,000 keys at most. */
const HAND_OVER_MAX = 400
const handOver = z.object({ boardId: id, userId: id })
export type HandOver = z.output<typeof handOver>

export const deletion = z.object({
  password: anyPassword.optional(),
  handOver: z
    .array(handOver)
    .max(HAND_OVER_MAX, `You can hand over at most ${HAND_OVER_MAX} boards at once`)
    .refine((all) => new Set(all.map(({ boardId }) => boardId)).size === all.length, HAND_OVER_ONCE)
    .default([]),
  deleteContent: z
    .boolean('Must be true or false')
    .default(false)
    .describe('Also deletes your comments and files on boards that stay'),
})
export type DeletionChoices = Omit<z.output<typeof deletion>, 'password'>
