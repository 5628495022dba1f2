import { generateCodeVerifier, generateState } from 'arctic'
import { z } from 'zod'
import type { Db } from '../../db/database'
import { log } from '../../log'
import type { Context, Services } from '../../server/context'
import { conflict, Refusal, reasonOf, unlessUnavailable } from '../../server/errors'
import { assertOwnOrigin } from '../../server/origin'
import { queryOf, type RouteRequest } from '../../server/routes'
import { inTransaction } from '../../server/transaction'
import type { OwnUser } from '../../users/schema'
import { normalizeUsername, username } from '../../users/schema'
import { ACCOUNT_DISABLED } from '../basics'
import { admit } from './admission'
import { grantByProvider, type ProviderGrant } from './grants'
import { type Claims, claims, providerOf } from './identityProviders'
import { findLinked, lockAddress, type ProviderId } from './lookup'
import { joinedMail } from './mails'
import { signIn } from './sessions'
import { createUser, linkAccount, lockOut, markEmailVerified } from './store'

/** Kept in a cookie: it binds the answer to the browser that asked, and needs no cleanup. */
const pendingSignIn = z.object({
  provider: z.string(),
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  remember: z.boolean(),
  invitation: z.string().optional(),
})
type PendingSignIn = z.output<typeof pendingSignIn>

const COOKIE = 'oauth'
const COOKIE_PATH = '/api/auth/oauth'
const COOKIE_SECONDS = 600

const setCookie = ({ origin }: Services, value: string, maxAge: number) =>
  new Bun.Cookie(COOKIE, value, {
    path: COOKIE_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: origin().startsWith('https:'),
    maxAge,
  }).serialize()

const redirect = ({ headers }: Context, location: string) => {
  headers.set('Location', location)
  return new Response(null, { status: 302, headers })
}

const redirectUri = ({ origin }: Services, id: string) => `${origin()}${COOKIE_PATH}/${id}/callback`

/** Redirects to the provider. Throws NOT_FOUND when it is not configured, FORBIDDEN, TOO_MANY_REQUESTS. */
export async function beginOAuth(ctx: RouteRequest): Promise<Response> {
  const { request } = ctx
  const id = ctx.params.provider ?? ''
  const provider = providerOf(id, ctx.services.config, redirectUri(ctx.services, id))
  assertOwnOrigin(request, ctx.services)
  await ctx.services.limits.consume('providerSignIns', ctx.address())
  const { remember, invitation } = queryOf(request)
  const pending: PendingSignIn = {
    provider: id,
    state: generateState(),
    verifier: generateCodeVerifier(),
    nonce: generateState(),
    remember: remember === '1',
    ...(isToken(invitation) && { invitation }),
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

/** Redirects into the app, signed in, or to the login page. Throws NOT_FOUND, TOO_MANY_REQUESTS. */
export async function finishOAuth(ctx: RouteRequest): Promise<Response> {
  const { request } = ctx
  const id = ctx.params.provider ?? ''
  const provider = providerOf(id, ctx.services.config, redirectUri(ctx.services, id))
  await ctx.services.limits.consume('providerSignIns', ctx.address())
  ctx.headers.append('Set-Cookie', setCookie(ctx.services, '', 0))
  try {
    const { code, state, error } = queryOf(request)
    const pending = pendingIn(ctx)
    if (error) throw new Error(`the provider says ${JSON.stringify(error.slice(0, 100))}`)
    if (!code || !state || !pending || pending.provider !== id || pending.state !== state)
      throw new Error('this browser did not ask for it')
    const vouched = claims.parse(await provider.claims(code, pending))
    await inTransaction(ctx, async ({ db, outbox, mail }) => {
      // providerOf refuses any other id.
      const { user, lockedOut } = await accountFor(db, id as ProviderId, vouched, (email) =>
        admit(db, ctx.services.config, { email, invitation: pending.invitation, isVouched: true }),
      )
      for (const sessionKey of lockedOut ?? []) outbox.push({ do: 'closeSession', sessionKey })
      if (lockedOut) await mail(joinedMail(user.email, ctx.services.origin()))
      await signIn(ctx, user.id, pending, { db, outbox })
    })
    return redirect(ctx, '/')
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
  return error.message === ACCOUNT_DISABLED ? 'account_disabled' : 'no_account'
}

const isToken = (given: string | undefined): given is string => /^[\w-]{43}$/.test(given ?? '')

/** A provider's text must not forge log lines. */
const inOneLine = (error: unknown) =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : JSON.stringify(reasonOf(error))

function pendingIn({ cookie }: Context): PendingSignIn | undefined {
  try {
    return pendingSignIn.parse(JSON.parse(Buffer.from(cookie(COOKIE) ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** Whoever registered with another's address may await its owner: an unproven account loses password and sessions. */
async function accountFor(
  db: Db,
  provider: ProviderId,
  vouched: Claims,
  admitNew: Admit,
): Promise<{ user: OwnUser; lockedOut?: string[] | undefined }> {
  await lockAddress(db, vouched.email)
  const linked = await findLinked(db, provider, vouched.subject)
  if (linked) return { user: linked }
  const existing = await grantByProvider(db, provider, vouched)
  const lockedOut = existing && !existing.user.emailVerified ? await lockOut(db, existing) : undefined
  const grant = existing ?? (await createFromClaims(db, provider, vouched, admitNew))
  await linkAccount(db, grant)
  return { user: grant.user, lockedOut }
}

const MAX_NAMES = 30

type Admit = (email: string) => ReturnType<typeof admit>

async function createFromClaims(db: Db, provider: ProviderId, vouched: Claims, admitNew: Admit): Promise<ProviderGrant> {
  const { email, name } = vouched
  const admission = await admitNew(email)
  const displayedName = name?.replaceAll('\0', '').trim().slice(0, 80).toWellFormed() ?? null
  for (const candidate of usernamesFrom(email)) {
    const user = await createUser(db, { username: candidate, email, name: displayedName, password: null, ...admission })
    if ('taken' in user && user.taken === 'email') throw conflict('Email already in use')
    const grant = 'taken' in user ? undefined : await grantByProvider(db, provider, vouched)
    if (!grant) continue
    await markEmailVerified(db, grant)
    return grant
  }
  throw new Error('every name was taken')
}

function* usernamesFrom(email: string) {
  const local = normalizeUsername(email.split(/[@+]/)[0] ?? '')
    .replace(/[^a-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 22)
  for (let i = 1; i <= MAX_NAMES; i++) {
    const candidate = username.safeParse(i === 1 ? local : `${local || 'user'}${i}`)
    if (candidate.success) yield candidate.data
  }
  yield `${local || 'user'}${crypto.randomUUID().slice(0, 6)}`
}
