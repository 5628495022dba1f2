import { generateCodeVerifier, generateState } from 'arctic'
import { z } from 'zod'
import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { messageOf } from '../../db/failures'
import { log } from '../../log'
import { optionalName } from '../../schema'
import type { Context, Services } from '../../server/context'
import { ownCookie } from '../../server/cookies'
import { forbidden, Refusal, unlessUnavailable } from '../../server/errors'
import { assertOwnOrigin } from '../../server/origin'
import { queryOf, type RouteRequest } from '../../server/routes'
import { inTransaction } from '../../server/transaction'
import { NAME_MAX } from '../../users/limits'
import type { OwnUser } from '../../users/schema'
import { ACCOUNT_DISABLED, OPERATOR_UNCONFIRMED, SETUP } from '../limits'
import { grantByProvider, type ProviderGrant } from './grants'
import { type Claims, claims, providerOf } from './identityProviders'
import { findLinked, lockAddress, type ProviderId } from './lookup'
import { joinedMail } from './mails'
import { signIn } from './sessions'
import { admit } from './signUp'
import { createFromAddress, linkAccount, lockOut, markEmailVerified, noteEmailUse } from './store'

/** In a cookie, it binds the answer to the browser that asked, and needs no cleanup. */
const pendingSignIn = z.object({
  provider: z.string(),
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  remember: z.boolean(),
  invitation: z.string().optional(),
  setup: z.string().optional(),
})
type PendingSignIn = z.output<typeof pendingSignIn>

const COOKIE = 'oauth'
const COOKIE_SECONDS = 600

const setCookie = ({ origin }: Services, value: string, maxAge: number) =>
  ownCookie(COOKIE, value, origin().startsWith('https:'), maxAge)

const redirect = ({ headers }: Context, location: string) => {
  headers.set('Location', location)
  return new Response(null, { status: 302, headers })
}

const redirectUri = ({ origin }: Services, id: string) => `${origin()}/api/auth/oauth/${id}/callback`

export async function beginOAuth(ctx: RouteRequest): Promise<Response> {
  const { request } = ctx
  ctx.extendTimeout()
  const id = ctx.params.provider ?? ''
  const provider = providerOf(id, ctx.services.config, redirectUri(ctx.services, id))
  assertOwnOrigin(request, ctx.services)
  await ctx.services.limits.consumeFrom('providerSignIns', ctx.address)
  const { remember, invitation, setup } = queryOf(request)
  const pending: PendingSignIn = {
    provider: id,
    state: generateState(),
    verifier: generateCodeVerifier(),
    nonce: generateState(),
    remember: remember === '1',
    ...(isToken(invitation) && { invitation }),
    ...(isToken(setup) && { setup }),
  }
  try {
    const url = await provider.url(pending)
    ctx.headers.append(
      'Set-Cookie',
      setCookie(ctx.services, Buffer.from(JSON.stringify(pending)).toString('base64url'), COOKIE_SECONDS),
    )
    return redirect(ctx, url.href)
  } catch (error) {
    return failed(ctx, id, error)
  }
}

export async function finishOAuth(ctx: RouteRequest): Promise<Response> {
  const { request } = ctx
  ctx.extendTimeout()
  const id = ctx.params.provider ?? ''
  const provider = providerOf(id, ctx.services.config, redirectUri(ctx.services, id))
  await ctx.services.limits.consumeFrom('providerSignIns', ctx.address)
  const { code, state, error } = queryOf(request)
  const pending = pendingIn(ctx)
  if (pending?.state === state) ctx.headers.append('Set-Cookie', setCookie(ctx.services, '', 0))
  try {
    if (error) throw new Error(`the provider says ${JSON.stringify(error.slice(0, 100))}`)
    if (!code || !state || !pending || pending.provider !== id || pending.state !== state)
      throw new Error('this browser did not start the sign-in')
    const vouched = claims.parse(await provider.claims(code, pending))
    await inTransaction(ctx, async ({ db, outbox, mail }) => {
      // providerOf refuses any other id.
      const { config } = ctx.services
      const { user, linkedAt, lockedOut } = await accountFor(db, config, id as ProviderId, vouched, (email) =>
        admit(db, config, { email, invitation: pending.invitation, setup: pending.setup, isVouched: true }),
      )
      for (const sessionKey of lockedOut ?? []) outbox.push({ do: 'closeSession', sessionKey })
      if (lockedOut) await mail(joinedMail(user.email, ctx.services.origin()))
      const operatorActId = await noteEmailUse(db, user, linkedAt)
      await signIn(ctx, user.id, { remember: pending.remember, operatorActId }, { db, outbox })
    })
    return redirect(ctx, pending.setup ? `${SETUP}?token=${pending.setup}` : '/')
  } catch (error) {
    return failed(ctx, id, error)
  }
}

function failed(ctx: Context, id: string, error: unknown): Response {
  unlessUnavailable(() => log.warn(`signing in with ${id} failed: ${inOneLine(error)}`))(error)
  return redirect(ctx, `/login?error=${reasonIn(error)}`)
}

function reasonIn(error: unknown) {
  if (!(error instanceof Refusal) || error.code !== 'FORBIDDEN') return 'auth_failed'
  if (error.message === OPERATOR_UNCONFIRMED) return 'operator_unconfirmed'
  return error.message === ACCOUNT_DISABLED ? 'account_disabled' : 'no_account'
}

const isToken = (given: string | undefined): given is string => /^[\w-]{43}$/.test(given ?? '')

/** A provider's text must not forge log lines. */
const inOneLine = (error: unknown) =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : JSON.stringify(messageOf(error))

function pendingIn({ cookie }: Context): PendingSignIn | undefined {
  try {
    return pendingSignIn.parse(JSON.parse(Buffer.from(cookie(COOKIE) ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** Someone may have registered with another's address: an unproven account loses its password and sessions. */
async function accountFor(
  db: Db,
  config: Config,
  provider: ProviderId,
  vouched: Claims,
  admitNew: Admit,
): Promise<{ user: OwnUser; linkedAt?: Date; lockedOut?: string[] | undefined }> {
  await lockAddress(db, vouched.email)
  const linked = await findLinked(db, provider, vouched.subject)
  const existing = await grantByProvider(db, provider, vouched)
  if (linked) {
    if (existing?.user.id === linked.user.id) await markEmailVerified(db, config, existing)
    return linked
  }
  const isUnproven = existing && !existing.user.emailVerified
  if (isUnproven && existing.user.operator) throw forbidden(OPERATOR_UNCONFIRMED)
  const lockedOut = isUnproven ? await lockOut(db, config, existing) : undefined
  const grant = existing ?? (await createFromClaims(db, config, provider, vouched, admitNew))
  await linkAccount(db, grant)
  return { user: grant.user, lockedOut }
}

type Admit = (email: string) => ReturnType<typeof admit>

async function createFromClaims(
  db: Db,
  config: Config,
  provider: ProviderId,
  vouched: Claims,
  admitNew: Admit,
): Promise<ProviderGrant> {
  const { email, name } = vouched
  const admission = await admitNew(email)
  // A name that our own rules would refuse is left out.
  const fitting = name?.replaceAll('\0', '').trim().slice(0, NAME_MAX).toWellFormed()
  const displayedName = optionalName(NAME_MAX).safeParse(fitting).data ?? null
  await createFromAddress(db, { email, name: displayedName, ...admission })
  const grant = await grantByProvider(db, provider, vouched)
  if (!grant) throw new Error('the account was deleted while it was being made')
  await markEmailVerified(db, config, grant)
  return grant
}
