import type { Context } from '../../server/context'
import { conflict, forbidden, isDuplicate, notFound } from '../../server/errors'
import { inTransaction, type TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { announceAccount } from '../../users/server/announceProfile'
import { hasOperator } from '../../users/server/lookup'
import { LINK_MINUTES, type LinkPurpose, PASSWORD_FIRST, type Verification } from '../schema'
import { admitByLink } from './admission'
import { hasAsked } from './askingBrowser'
import { type AddressGrant, type EmailChangeGrant, grantByLink, type LinkGrant } from './grants'
import { changedMail } from './mails'
import { proveAddress } from './proveAddress'
import { signIn } from './sessions'
import { changeEmail, findOrCreateDeveloper, lockOut, noteLinkUse, spendLink } from './store'
import { assertOwnSignIn } from './ways'

/** A link works once, and shows that the address is its owner's. Throws UNAUTHORIZED, CONFLICT where it asks first. */
export const verifyLink = (
  ctx: Context,
  { token, remember, confirmed, keepPassword }: Verification,
): Promise<{ user: OwnUser; purpose: LinkPurpose }> =>
  inTransaction(ctx, async (transaction) => {
    assertOwnSignIn(ctx.services.config)
    const made = await admitByLink(transaction.db, ctx.services.config, token)
    const grant = await grantByLink(transaction.db, token, ctx.session?.user)
    if ('newEmail' in grant) return { user: await changeTo(ctx, transaction, grant), purpose: grant.link.purpose }
    const { user, link } = grant
    const isOwn = ctx.session?.user.id === user.id
    const isDoubtful = !isOwn && isDoubted(ctx, grant)
    // A mistyped address would otherwise give a stranger the whole server.
    if (isDoubtful && user.operator) throw forbidden(PASSWORD_FIRST)
    if (!confirmed && (isDoubtful || isElsewhere(ctx, grant))) throw mustAsk(user, isDoubtful)
    await spendLink(transaction.db, grant)
    // Of the account that proves OPERATOR_EMAIL, a stranger who registered with it must keep nothing, whatever is answered.
    const isAwaitedOperator = user.email === ctx.services.config.operatorEmail && !(await hasOperator(transaction.db))
    if (isDoubtful && (!keepPassword || isAwaitedOperator)) await endOthers(ctx, transaction, grant)
    else if (link.mailed) await proveAddress({ ...transaction, services: ctx.services }, grant)
    // Who has a new account chooses a password, too.
    const purpose = made ? 'reset' : link.purpose
    const mayResetUntil = purpose === 'reset' ? new Date(Date.now() + LINK_MINUTES * 60_000) : undefined
    if (link.purpose !== 'confirm' || !isOwn) {
      const operatorActId = await noteLinkUse(transaction.db, grant)
      await signIn(ctx, user.id, { remember, mayResetUntil, operatorActId }, transaction)
    }
    return { user: { ...user, emailVerified: link.mailed || user.emailVerified }, purpose }
  })

async function changeTo(
  { services }: Context,
  { db, outbox, mail }: TransactionContext,
  grant: EmailChangeGrant,
): Promise<OwnUser> {
  const changed = await changeEmail(db, services.config, grant).catch((error: unknown) => {
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

async function endOthers({ services }: Context, { db, outbox }: TransactionContext, grant: AddressGrant) {
  for (const sessionKey of (await lockOut(db, services.config, grant)) ?? []) outbox.push({ do: 'closeSession', sessionKey })
}

/** Throws NOT_FOUND for anybody but a developer. */
export async function signInDeveloper(ctx: Context): Promise<OwnUser> {
  if (!ctx.isDeveloper) throw notFound()
  return inTransaction(ctx, async (transaction) => {
    const user = await findOrCreateDeveloper(transaction.db, ctx.services.config)
    await signIn(ctx, user.id, { remember: true }, transaction)
    return user
  })
}
