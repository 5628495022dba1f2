import type { Context } from '../../server/context'
import { conflict, isDuplicate, notFound } from '../../server/errors'
import { inTransaction, type TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { announceAccount } from '../../users/server/announceProfile'
import { LINK_MINUTES, type LinkPurpose, type Verification } from '../schema'
import { hasAsked } from './askingBrowser'
import { type AddressGrant, type EmailChangeGrant, grantByLink, type LinkGrant } from './grants'
import { changedMail } from './mails'
import { proveAddress } from './proveAddress'
import { signIn } from './sessions'
import { changeEmail, findOrCreateDeveloper, lockOut, spendLink } from './store'
import { assertOwnSignIn } from './ways'

/** A link works once, and shows that the address is its owner's. Throws UNAUTHORIZED, CONFLICT where it asks first. */
export const verifyLink = (
  ctx: Context,
  { token, remember, confirmed, keepPassword }: Verification,
): Promise<{ user: OwnUser; purpose: LinkPurpose }> =>
  inTransaction(ctx, async (transaction) => {
    assertOwnSignIn(ctx.services.config)
    const grant = await grantByLink(transaction.db, token, ctx.session?.user)
    if ('newEmail' in grant) return { user: await changeTo(ctx, transaction, grant), purpose: grant.link.purpose }
    const { user, link } = grant
    const isOwn = ctx.session?.user.id === user.id
    const isDoubtful = !isOwn && isDoubted(ctx, grant)
    if (!confirmed && (isDoubtful || isElsewhere(ctx, grant))) throw mustAsk(user, isDoubtful)
    await spendLink(transaction.db, grant)
    if (isDoubtful && !keepPassword) await endOthers(transaction, grant)
    else if (link.mailed) await proveAddress(transaction, grant)
    const mayResetUntil = link.purpose === 'reset' ? new Date(Date.now() + LINK_MINUTES * 60_000) : undefined
    if (link.purpose !== 'confirm' || !isOwn) await signIn(ctx, user.id, { remember, mayResetUntil }, transaction)
    return { user: { ...user, emailVerified: link.mailed || user.emailVerified }, purpose: link.purpose }
  })

async function changeTo(
  { services }: Context,
  { db, outbox, mail }: TransactionContext,
  grant: EmailChangeGrant,
): Promise<OwnUser> {
  const changed = await changeEmail(db, grant).catch((error: unknown) => {
    if (isDuplicate(error)) return null
    throw error
  })
  if (!changed) throw conflict('Another account has this email by now.')
  const { user, newEmail } = grant
  // One that is not proven may be a stranger's.
  if (user.emailVerified) await mail(changedMail(user.email, newEmail, services.config.supportEmail, services.origin()))
  announceAccount(outbox, changed)
  return changed
}

/** Whether somebody else may have set the password. */
const isDoubted = (ctx: Context, { user, hasPassword, link }: LinkGrant) =>
  link.mailed && !user.emailVerified && hasPassword && !isOfRegistration(ctx, link)

const isOfRegistration = (ctx: Context, link: LinkGrant['link']) =>
  ctx.services.config.signUpDomains !== undefined && link.purpose === 'confirm' && hasAsked(ctx, link)

const isElsewhere = (ctx: Context, { user, link }: LinkGrant) =>
  ctx.session ? ctx.session.user.id !== user.id : !hasAsked(ctx, link)

const mustAsk = ({ username }: OwnUser, hasPassword: boolean) =>
  conflict(`This link signs in as ${username}. Please confirm that this is what you want.`, {
    needsConfirmation: true,
    username,
    ...(hasPassword && { hasPassword }),
  })

async function endOthers({ db, outbox }: TransactionContext, grant: AddressGrant) {
  for (const sessionKey of (await lockOut(db, grant)) ?? []) outbox.push({ do: 'closeSession', sessionKey })
}

/** Throws NOT_FOUND for anybody but a developer. */
export async function signInDeveloper(ctx: Context): Promise<OwnUser> {
  if (!ctx.isDeveloper) throw notFound()
  return inTransaction(ctx, async (transaction) => {
    const user = await findOrCreateDeveloper(transaction.db)
    await signIn(ctx, user.id, { remember: true }, transaction)
    return user
  })
}
