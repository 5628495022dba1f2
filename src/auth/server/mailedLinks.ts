import type { Context, Services } from '../../server/context'
import { conflict, forbidden, isDuplicate, notFound } from '../../server/errors'
import type { Delivery } from '../../server/mail/store'
import { inTransaction, type TransactionContext } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { announceAccount } from '../../users/server/changes'
import { LINK_MINUTES, type LinkPurpose, PASSWORD_FIRST, type Verification } from '../schema'
import { hasAsked, setAskedCookie } from './browserCookies'
import { type AddressGrant, type EmailChangeGrant, grantByLink, type LinkGrant } from './grants'
import { becomesOperator } from './lookup'
import { changedMail, linkMail } from './mails'
import { signIn } from './sessions'
import { admitByLink } from './signUp'
import { assertOwnSignIn } from './signUpRules'
import { changeEmail, createLink, findOrCreateDeveloper, lockOut, markEmailVerified, noteLinkUse, spendLink } from './store'

type Verified = { user: OwnUser; purpose: LinkPurpose; passwordRemoved: boolean }

/** A link works once, and proves the address. Throws UNAUTHORIZED, or CONFLICT to ask first. */
export const verifyLink = (ctx: Context, { token, remember, confirmed, keepPassword }: Verification): Promise<Verified> =>
  inTransaction(ctx, async (transaction) => {
    const { db } = transaction
    const { config } = ctx.services
    assertOwnSignIn(config)
    const made = await admitByLink(db, config, token)
    const grant = await grantByLink(db, token, ctx.session?.user)
    if ('newEmail' in grant) return changeTo(ctx, transaction, grant)
    const { user, link } = grant
    const isOwn = ctx.session?.user.id === user.id
    const isDoubtful = !isOwn && isDoubted(ctx, grant)
    // A mistyped address would give a stranger the whole server.
    if (isDoubtful && user.operator) throw forbidden(PASSWORD_FIRST)
    // A stranger who registered with OPERATOR_EMAIL must keep nothing.
    const mayKeepPassword = isDoubtful && !(await becomesOperator(db, config, user.email))
    if (!confirmed && (isDoubtful || isElsewhere(ctx, grant))) throw mustAsk(user, mayKeepPassword)
    await spendLink(db, grant)
    const passwordRemoved = isDoubtful && !(mayKeepPassword && keepPassword)
    if (passwordRemoved) await endOthers(ctx, transaction, grant)
    else if (link.mailed) await proveAddress({ ...transaction, services: ctx.services }, grant)
    // A new account needs a password too.
    const purpose = made ? 'reset' : link.purpose
    const mayResetUntil = purpose === 'reset' ? new Date(Date.now() + LINK_MINUTES * 60_000) : undefined
    if (link.purpose !== 'confirm' || !isOwn) {
      const operatorActId = await noteLinkUse(db, grant)
      await signIn(ctx, user.id, { remember, mayResetUntil, operatorActId }, transaction)
    }
    return { user: { ...user, emailVerified: link.mailed || user.emailVerified }, purpose, passwordRemoved }
  })

async function changeTo(
  { services }: Context,
  { db, outbox, mail }: TransactionContext,
  grant: EmailChangeGrant,
): Promise<Verified> {
  const changed = await changeEmail(db, services.config, grant).catch((error: unknown) => {
    if (isDuplicate(error)) return null
    throw error
  })
  if (!changed) throw conflict('Another account now has this email.')
  const { user, newEmail } = grant
  // An unproven address may be a stranger's.
  if (user.emailVerified) await mail(changedMail(user.email, newEmail, services.config.contactEmail, services.origin()))
  announceAccount(outbox, changed)
  return { user: changed, purpose: grant.link.purpose, passwordRemoved: false }
}

/** Whether someone else may have set the password. */
const isDoubted = (ctx: Context, { user, hasPassword, link }: LinkGrant) =>
  link.mailed && !user.emailVerified && hasPassword && !isOfRegistration(ctx, link)

const isOfRegistration = (ctx: Context, link: LinkGrant['link']) =>
  ctx.services.config.signUpDomains !== undefined && link.purpose === 'confirm' && hasAsked(ctx, link)

const isElsewhere = (ctx: Context, { user, link }: LinkGrant) =>
  ctx.session ? ctx.session.user.id !== user.id : !hasAsked(ctx, link)

const mustAsk = ({ username }: OwnUser, mayKeepPassword: boolean) =>
  conflict(`This link signs in as ${username}. Please confirm that this is what you want.`, {
    needsConfirmation: true,
    username,
    ...(mayKeepPassword && { hasPassword: true }),
  })

async function endOthers({ services }: Context, { db, outbox }: TransactionContext, grant: AddressGrant) {
  for (const sessionKey of (await lockOut(db, services.config, grant)) ?? []) outbox.push({ do: 'closeSession', sessionKey })
}

export async function signInDeveloper(ctx: Context): Promise<OwnUser> {
  if (!ctx.isDeveloper) throw notFound()
  return inTransaction(ctx, async (transaction) => {
    const user = await findOrCreateDeveloper(transaction.db, ctx.services.config)
    await signIn(ctx, user.id, { remember: true }, transaction)
    return user
  })
}

type Wanted = { email: string; purpose: Exclude<LinkPurpose, 'change'>; remember: boolean; delivery: Delivery }

export async function mailLink(
  ctx: Context,
  { db, mail }: TransactionContext,
  { email, purpose, remember, delivery }: Wanted,
): Promise<void> {
  const token = await createLink(db, email, purpose, { askedBy: setAskedCookie(ctx) })
  const link = `${ctx.services.origin()}/auth/verify?token=${token}${remember ? '&remember=1' : ''}`
  await mail(linkMail(email, purpose, link), delivery)
}

type ProofContext = Pick<TransactionContext, 'db' | 'outbox'> & { services: Services }

export async function proveAddress({ db, outbox, services }: ProofContext, grant: AddressGrant): Promise<void> {
  const proven = await markEmailVerified(db, services.config, grant)
  if (proven) announceAccount(outbox, proven)
}
