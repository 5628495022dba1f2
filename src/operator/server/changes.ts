import { deleteWithBoards } from '../../account/server/deletion'
import { lockLinks } from '../../auth/server/lookup'
import { proveAddress } from '../../auth/server/mailedLinks'
import { linkMail } from '../../auth/server/mails'
import { assertOwnSignIn } from '../../auth/server/signUpRules'
import { createLink, endChanges, endLinks, unlinkProviders } from '../../auth/server/store'
import { announceFromOutside } from '../../boards/server/announce'
import { assertHandedOverFits, handOverBoard } from '../../boards/server/store'
import type { Db } from '../../db/database'
import type { Services } from '../../server/context'
import { conflict, isDuplicate, notFound } from '../../server/errors'
import { toUsers } from '../../server/live/openSockets'
import { failedMails, retryMails } from '../../server/mail/store'
import { onBehalfOf } from '../../server/signedIn'
import { runTransaction, type TransactionContext } from '../../server/transaction'
import { ONLY_OPERATOR } from '../../users/limits'
import { announceAccount } from '../../users/server/changes'
import { findOwn, isOnlyOperator } from '../../users/server/lookup'
import { LISTED_AT_MOST, type List } from '../schema'
import {
  type AccountGrant,
  grantAccount,
  grantCommand,
  grantHandOver,
  grantOperatedBoard,
  grantOperatedInvitation,
  grantProof,
  type OperatorGrant,
  type OperatorReadGrant,
} from './grants'
import { findUserIds, LARGEST_ID, toPage } from './lookup'
import { actedMail, givenBoardMail, type Told, takenBoardMail } from './mails'
import { disable, enable, noteAct, replaceEmail, revokeAnyInvitation, setOperator, setPlan } from './store'

const RUNS = 'This person has a subscription. You can change their plan once it ends.'

/** The page and the commands share these. Each is logged on commit. */
export async function proveEmail(ctx: Operating, userId: number): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (grant.account.emailVerified) return
  await proveAddress(ctx, grantProof(grant))
  await noteAct(ctx.db, grant, 'proved_email')
  await tell(ctx, grant, 'proved_email')
  logChange(ctx, grant, 'confirmed the email of')
}

export async function disableAccount(ctx: Operating, userId: number): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (userId === ctx.grant.viewer?.id) throw conflict('You cannot disable your own account.')
  if (await isOnlyOperator(ctx.db, userId)) throw conflict(ONLY_OPERATOR)
  await endLinksOf(ctx, grant)
  // Tells open pages before their sessions end.
  ctx.outbox.push(toUsers([userId], { type: 'account_disabled', to: 'user', payload: {} }))
  endSessions(ctx, await disable(ctx.db, grant))
  logChange(ctx, grant, 'disabled')
}

export async function enableAccount(ctx: Operating, userId: number): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  await enable(ctx.db, grant)
  logChange(ctx, grant, 'enabled')
}

export async function changePlan(ctx: Operating, userId: number, isPro: boolean): Promise<void> {
  if (!ctx.services.config.hasPlans) throw notFound('This server has no plans.')
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  const user = await setPlan(ctx.db, grant, isPro)
  if (!user) throw conflict(RUNS)
  announceAccount(ctx.outbox, user)
  logChange(ctx, grant, isPro ? 'gave Pro to' : 'took Pro from')
}

export async function changeOperator(ctx: Operating, userId: number, operator: boolean): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (grant.account.operator === operator) return
  if (operator && grant.account.disabledAt) throw conflict(DISABLED)
  if (!operator && (await isOnlyOperator(ctx.db, userId))) throw conflict(ONLY_OPERATOR)
  announceAccount(ctx.outbox, await setOperator(ctx.db, grant, operator))
  await tell(ctx, grant, operator ? 'made_operator' : 'unmade_operator')
  logChange(ctx, grant, operator ? 'gave the operator role to' : 'removed the operator role from')
}

const DISABLED = 'This account is disabled. Enable it first.'

/** Sessions, links and linked providers end, so the old mailbox gives no access. With SIGN_IN=oidc the provider decides who that is. */
export async function changeAddress(ctx: Operating, userId: number, email: string): Promise<void> {
  const { services, db } = ctx
  const grant = await grantAccount(db, ctx.grant, userId)
  const { account } = grant
  if (email === account.email) throw conflict('That is already this user’s email.')
  await endLinksOf(ctx, grant)
  await endLinks(db, email)
  endSessions(ctx, await replaceEmail(db, grant, email).catch(refuseTaken))
  if (!services.config.onlyOidc) await unlinkProviders(db, account)
  const operatorActId = await noteAct(db, grant, 'changed_email', email)
  await tell(ctx, grant, 'changed_email')
  if (!services.config.onlyOidc)
    await ctx.mail(linkMail(email, 'confirm', linkOf(ctx, await createLink(db, email, 'confirm', { operatorActId }))))
  logChange(ctx, grant, 'changed the email of')
}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error) ? conflict('Email already in use') : error
}

/** Signs in once and sets a password; it proves no address. */
export async function createResetLink(ctx: Operating, userId: number): Promise<string> {
  assertOwnSignIn(ctx.services.config)
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (grant.account.disabledAt) throw conflict(DISABLED)
  const { email } = grant.account
  await lockLinks(ctx.db, email)
  const operatorActId = await noteAct(ctx.db, grant, 'made_link')
  await tell(ctx, grant, 'made_link')
  logChange(ctx, grant, 'made a link to set a new password for')
  return linkOf(ctx, await createLink(ctx.db, email, 'reset', { mailed: false, operatorActId }))
}

/** Like the owner's own deletion, without handing boards over. */
export async function deleteUser(ctx: Operating, userId: number, deleteContent: boolean): Promise<void> {
  const { db, services } = ctx
  const grant = await grantAccount(db, ctx.grant, userId)
  const user = await findOwn(db, userId)
  if (!user) throw notFound('User not found')
  if (userId === ctx.grant.viewer?.id) throw conflict('You can delete your own account only from your profile.')
  const farewell = actedMail(grant.account, ctx.grant.viewer?.username ?? null, 'deleted', services.config.contactEmail)
  const call = { ...ctx, headers: new Headers(), idempotency: null }
  await deleteWithBoards(call, onBehalfOf(user), { handOver: [], deleteContent }, farewell)
  logChange(ctx, grant, 'deleted')
}

/** Emails the account's former address, whatever its settings. */
const tell = ({ mail, services }: Operating, { account, viewer }: AccountGrant, did: Told) =>
  mail(actedMail(account, viewer?.username ?? null, did, services.config.contactEmail))

const linkOf = ({ services }: Operating, token: string) => `${services.origin()}/auth/verify?token=${token}`

/** Lock order: links, then the account. */
async function endLinksOf({ db }: Operating, { account }: AccountGrant) {
  await endLinks(db, account.email)
  await endChanges(db, account.id)
}

function endSessions({ outbox }: Operating, keys: string[]) {
  for (const sessionKey of keys) outbox.push({ do: 'closeSession', sessionKey })
}

const logChange = (ctx: Operating, { account }: AccountGrant, did: string) =>
  logDone(ctx, `${did} ${account.username} (${account.id})`)

export async function handBoardOver(ctx: Operating, boardId: number, userId: number): Promise<void> {
  const grant = await grantOperatedBoard(ctx.db, ctx.grant, boardId)
  const to = await grantAccount(ctx.db, ctx.grant, userId)
  const { account, viewer } = to
  const { createdBy } = grant.board
  const before = createdBy === null ? undefined : await findOwn(ctx.db, createdBy)
  await handOverBoard(ctx.db, await grantHandOver(ctx.db, grant, to))
  await assertHandedOverFits(ctx, account, [grant.board])
  await announceFromOutside(ctx, grant, { type: 'board_handed_over', to: 'members', payload: { createdBy: userId } })
  const { config, origin } = ctx.services
  const by = viewer?.username ?? null
  if (before?.emailVerified) await ctx.mail(takenBoardMail(before.email, grant.board.name, by, config.contactEmail))
  if (account.emailVerified)
    await ctx.mail(givenBoardMail(account.email, grant.board, by, config.hasPlans && !account.isPro, origin()))
  logDone(ctx, `handed board ${boardId} over to ${account.username} (${userId})`)
}

export async function revokeInvitationOf(ctx: Operating, invitationId: number): Promise<void> {
  const grant = await grantOperatedInvitation(ctx.db, ctx.grant, invitationId)
  const invitation = await revokeAnyInvitation(ctx.db, grant)
  await announceFromOutside(ctx, grant, { type: 'invitation_changed', to: 'members', payload: { invitation } })
  logDone(ctx, `revoked invitation ${invitationId} to board ${grant.board.id}`)
}

export async function listFailedMails(db: Db, _: OperatorReadGrant, { cursor = LARGEST_ID }: List) {
  const found = await failedMails(db, cursor, LISTED_AT_MOST + 1)
  return toPage(found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })))
}

export async function retryFailed(ctx: Operating, mailId?: number): Promise<number> {
  const mails = await retryMails(ctx.db, mailId)
  if (mailId !== undefined && mails === 0) throw notFound('This email can no longer be resent.')
  if (mails === 0) throw conflict('There are no emails to resend.')
  ctx.sendMails()
  logDone(ctx, mailId === undefined ? `resent ${mails} emails` : `resent email ${mailId}`)
  return mails
}

export type Operating = TransactionContext & { services: Services; grant: OperatorGrant }

/** Only usernames and ids: other texts could forge log lines. */
function logDone({ logOnCommit, grant: { viewer } }: Operating, did: string): void {
  logOnCommit(`operator ${viewer ? `${viewer.username} (${viewer.id})` : 'by command'}: ${did}`)
}

export const byCommand = <T>(services: Services, work: (ctx: Operating) => Promise<T>, kind?: 'deletes'): Promise<T> =>
  runTransaction(
    services,
    async (transaction) => work({ ...transaction, services, grant: await grantCommand(transaction.db) }),
    kind,
  )

export async function userNamed({ db }: Pick<Operating, 'db'>, name: string): Promise<number> {
  const [userId, other] = await findUserIds(db, name)
  if (userId === undefined) throw notFound(`no user has the id, username or email "${name}"`)
  // Anyone may register with a number as their name, and would get what was meant for that id.
  if (other !== undefined) throw conflict(`"${name}" is one user's username and another's id: use an email`)
  return userId
}
