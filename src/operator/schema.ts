import { z } from 'zod'
import { anyPassword } from '../account/schema'
import { id, text, wholeNumber } from '../schema'
import { email, userSummary } from '../users/schema'

const moment = z.iso.datetime()

/** `subscribed`: a payment decides the plan; `lastSeenAt` is null without a session. */
export const person = userSummary.extend({
  email: z.string(),
  emailVerified: z.boolean(),
  isPro: z.boolean(),
  subscribed: z.boolean(),
  operator: z.boolean(),
  disabled: z.boolean(),
  boards: z.number(),
  createdAt: moment,
  lastSeenAt: moment.nullable(),
})
export type Person = z.infer<typeof person>

const listedBoard = z.object({
  id,
  name: z.string(),
  creator: userSummary,
  members: z.number(),
  tasks: z.number(),
  createdAt: moment,
})
export type ListedBoard = z.infer<typeof listedBoard>

const listedInvitation = z.object({
  id,
  /** Null for the account `user`. */
  email: z.string().nullable(),
  user: userSummary.nullable(),
  board: z.object({ id, name: z.string() }),
  inviter: userSummary,
  expiresAt: moment,
})
export type ListedInvitation = z.infer<typeof listedInvitation>

/** Without the subject, which may quote a board. After a day its text is gone and it cannot be resent. */
const failedMail = z.object({ id, to: z.string(), error: z.string().nullable(), createdAt: moment, mayRetry: z.boolean() })
export type FailedMail = z.infer<typeof failedMail>

const LISTED = 50
export const LISTED_AT_MOST = LISTED

const listOf = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), nextCursor: id.nullable() })
export const people = listOf(person)
export const listedBoards = listOf(listedBoard)
export const listedInvitations = listOf(listedInvitation)
export const failedMails = listOf(failedMail)

export const list = z.object({ search: text(200).default(''), cursor: wholeNumber.pipe(id).optional() })
export type List = z.output<typeof list>

/** What may fail. `disk` is null if it cannot be measured, `lastBackup` without a good one. */
export const state = z.object({
  database: z.enum(['embedded', 'postgres']),
  disk: z.object({ free: z.number(), size: z.number() }).nullable(),
  /** A table of the embedded database that is too large to rewrite: deleted data stays in its files. */
  tooLargeToErase: z.string().nullable(),
  changesRefused: z.boolean(),
  filesRefused: z.boolean(),
  mailsWaiting: z.number(),
  /** Without one, emails are only files. */
  mailServer: z.boolean(),
  mailsFailed: z.number(),
  lastBackup: moment.nullable(),
  backupError: z.string().nullable(),
})
export type State = z.infer<typeof state>

/** Without a password, acts that give access to accounts need a sign-in this recent. */
export const FRESH_OPERATOR_MS = 10 * 60_000

export const confirmation = z.object({ password: anyPassword.optional() })
export type Confirmation = z.output<typeof confirmation>

export const ofPerson = z.object({ userId: id })
export const contentChoice = z.object({ deleteContent: z.boolean('Must be true or false').default(false) })
export const planChange = z.object({ isPro: z.boolean('Must be true or false') })
export const operatorChange = z.object({ operator: z.boolean('Must be true or false') })
export const addressChange = z.object({ email })
export const resetLink = z.object({ link: z.string() })
export const ofBoard = z.object({ boardId: id })
export const testMail = z.object({ to: email })
export const testedMail = z.object({ sent: z.boolean(), answer: z.string() })
export const retried = z.object({ mails: z.number() })
