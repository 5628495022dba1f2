import { changedMail, linkMail } from '../../../auth/server/mails'
import { proveAddress } from '../../../auth/server/proveAddress'
import { createLink, endChanges, endLinks } from '../../../auth/server/store'
import { assertOwnSignIn } from '../../../auth/server/ways'
import { conflict, isDuplicate } from '../../../server/errors'
import { toUsers } from '../../../server/live/hub'
import { ONLY_OPERATOR } from '../../../users/basics'
import { announceAccount } from '../../../users/server/announceProfile'
import { isOnlyOperator } from '../../../users/server/lookup'
import { type AccountGrant, grantAccount, grantProof } from '../grants'
import { logDone, type Operating } from '../operating'
import { disable, enable, replaceEmail, setOperator, setPlan } from './store'

const RUNS = 'A subscription that is paid for runs: it decides over the plan until it has ended.'

/** For a page and a command alike; each is in the log once it is stored. */
export async function proveEmail(ctx: Operating, userId: number): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  await proveAddress(ctx, grantProof(grant))
  logChange(ctx, grant, 'confirmed the email of')
}

export async function disableAccount(ctx: Operating, userId: number): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (userId === ctx.grant.viewer?.id) throw conflict('You cannot disable yourself.')
  if (await isOnlyOperator(ctx.db, userId)) throw conflict(ONLY_OPERATOR)
  await endLinksOf(ctx, grant)
  // To open pages, before they are signed out.
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
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  const user = await setPlan(ctx.db, grant, isPro)
  if (!user) throw conflict(RUNS)
  announceAccount(ctx.outbox, user)
  logChange(ctx, grant, isPro ? 'gave Pro to' : 'took Pro from')
}

export async function changeOperator(ctx: Operating, userId: number, operator: boolean): Promise<void> {
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (operator && grant.account.disabledAt) throw conflict(DISABLED)
  if (!operator && (await isOnlyOperator(ctx.db, userId))) throw conflict(ONLY_OPERATOR)
  announceAccount(ctx.outbox, await setOperator(ctx.db, grant, operator))
  logChange(ctx, grant, operator ? 'made an operator of' : 'made no operator any more of')
}

const DISABLED = 'This account is disabled. Enable it first.'

/** Whoever knew the old address, or reads its mail, is out: sessions and links end. */
export async function changeAddress(ctx: Operating, userId: number, email: string): Promise<void> {
  const { services, db } = ctx
  const grant = await grantAccount(db, ctx.grant, userId)
  const { account } = grant
  if (email === account.email) throw conflict('This is their email already.')
  await endLinksOf(ctx, grant)
  await endLinks(db, email)
  endSessions(ctx, await replaceEmail(db, grant, email).catch(refuseTaken))
  if (account.emailVerified) await ctx.mail(changedMail(account.email, email, services.config.supportEmail, services.origin()))
  if (!services.config.onlyOidc) await ctx.mail(linkMail(email, 'confirm', linkOf(ctx, await createLink(db, email, 'confirm'))))
  logChange(ctx, grant, 'changed the email of')
}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error) ? conflict('Email already in use') : error
}

/** One that signs in once, and sets a password; it shows nothing of who reads the address's mail. */
export async function makeResetLink(ctx: Operating, userId: number): Promise<string> {
  assertOwnSignIn(ctx.services.config)
  const grant = await grantAccount(ctx.db, ctx.grant, userId)
  if (grant.account.disabledAt) throw conflict(DISABLED)
  logChange(ctx, grant, 'made a link to set a new password for')
  return linkOf(ctx, await createLink(ctx.db, grant.account.email, 'reset', null, false))
}

const linkOf = ({ services }: Operating, token: string) => `${services.origin()}/auth/verify?token=${token}`

/** Lock order everywhere: links, then the account. */
async function endLinksOf({ db }: Operating, { account }: AccountGrant) {
  await endLinks(db, account.email)
  await endChanges(db, account.id)
}

function endSessions({ outbox }: Operating, keys: string[]) {
  for (const sessionKey of keys) outbox.push({ do: 'closeSession', sessionKey })
}

const logChange = (ctx: Operating, { account }: AccountGrant, did: string) =>
  logDone(ctx, `${did} ${account.username} (${account.id})`)
