import { z } from 'zod'
import { optionalName, text, withAsciiDomain } from '../schema'
import { email, NAME_MAX, normalizeUsername, USERNAME_MIN, USERNAME_SHORT, username } from '../users/schema'
import { PASSWORD_MAX, PASSWORD_MIN } from './limits'

export * from './limits'

const PASSWORD_SHORT = 'Password must be at least 6 characters'

export const password = z
  .string('Must be text')
  .min(PASSWORD_MIN, PASSWORD_SHORT)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)
  .describe('The 10,000 most common passwords are refused')

const remember = z.boolean().default(false).describe('The session lasts 30 days after its last use, instead of 24 hours')

export const registration = z.object({
  username,
  email,
  password,
  name: optionalName(NAME_MAX),
  emailNotifications: z.boolean().default(true),
  notifyTaskAssigned: z.boolean().default(true),
  notifyTaskCommented: z.boolean().default(true),
  notifyBoardUpdated: z.boolean().default(true),
  notifyTimeEntries: z.boolean().default(true),
  remember,
  invitation: text(200).optional().describe('The token of an invitation, if sign-up is by invitation'),
  setup: text(200).optional().describe('The token of a new server’s setup link, with which anyone may register'),
})
export type Registration = z.output<typeof registration>

export const resetRequest = z.object({ email })
export const linkRequest = z.object({ email, remember })
export type LinkRequest = z.output<typeof linkRequest>

const token = text(200)
const flag = z
  .string()
  .optional()
  .transform((given) => given === '1')

export const setupToken = z.object({ token })

/** `confirmed` agrees to sign in, `keepPassword` to keep the password of an account with an unproven address. */
export const verification = z.object({
  token,
  remember,
  confirmed: z.boolean().default(false),
  keepPassword: z.boolean().default(false),
})
export type Verification = z.output<typeof verification>
export const verificationQuery = z.object({ token: token.default(''), remember: flag, confirmed: flag, keepPassword: flag })

export const linkPurpose = z.enum(['sign-in', 'reset', 'confirm', 'change'])
export type LinkPurpose = z.infer<typeof linkPurpose>
export type AskedPurpose = Exclude<LinkPurpose, 'confirm' | 'change'>

export const credentials = z.object({
  username: text(254)
    .transform((typed) => withAsciiDomain(normalizeUsername(typed)))
    .pipe(z.string().min(USERNAME_MIN, USERNAME_SHORT)),
  password: z.string('Must be text').min(PASSWORD_MIN, PASSWORD_SHORT).max(PASSWORD_MAX, 'Invalid username or password'),
  remember,
})
export type Credentials = z.output<typeof credentials>
