import type { Db } from '../../db/database'
import { findInstallationSecret, installationSecret } from '../../db/installation'
import type { Context } from '../../server/context'
import { ownCookie } from '../../server/cookies'
import type { Caller } from '../../server/rateLimits'
import { hashToken, newToken } from '../../server/tokens'
import { deviceEpochOf } from './lookup'

const DEVICE_SECONDS = 365 * 86_400
const MAX_ACCOUNTS = 5
/** OWASP's device cookie: it signs nobody in, but gives the browser its own budget of attempts. */
const DEVICE_COOKIE = 'device'

type Owner = { id: number; deviceEpoch: number }
type GetCookie = (name: string) => string | undefined

/** One for each account that signed in; only the signature links it to the account. */
type Entry = { device: string; expires: string; signature: string }
const ENTRY = /^(?<device>[\w-]{1,64})\.(?<expires>\d{10})\.(?<signature>[\w-]{43})$/

const entriesIn = (cookie = ''): Entry[] =>
  cookie
    .split('~', MAX_ACCOUNTS)
    .map((entry) => ENTRY.exec(entry)?.groups as Entry | undefined)
    .filter((entry) => entry !== undefined)

const sign = (secret: string, { id, deviceEpoch }: Owner, device: string, expires: string) =>
  new Bun.CryptoHasher('sha256', secret).update([id, deviceEpoch, device, expires].join()).digest('base64url')

const isOf = (secret: string, owner: Owner, { device, expires, signature }: Entry) =>
  Number(expires) > Date.now() / 1000 &&
  crypto.timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, owner, device, expires)))

const NOBODY: Owner = { id: 0, deviceEpoch: 0 }

/** Who is trying to sign in. Takes the same time for unknown accounts. */
export async function callerOf(
  ctx: Context,
  account: { user: { id: number }; deviceEpoch: number } | undefined,
): Promise<Caller> {
  const { services, address, cookie } = ctx
  const owner = account ? { id: account.user.id, deviceEpoch: account.deviceEpoch } : NOBODY
  const entries = entriesIn(cookie(DEVICE_COOKIE))
  const secret = entries.length > 0 ? await findInstallationSecret(services.db) : undefined
  const own = secret === undefined ? undefined : entries.find((entry) => isOf(secret, owner, entry))
  return { address, browser: askingBrowser(ctx), device: own && `${owner.id} ${own.device}` }
}

export async function setDeviceCookie(ctx: Context, transaction: Db, userId: number, device = newToken()): Promise<void> {
  const { services, headers, cookie } = ctx
  const isSecure = services.origin().startsWith('https:')
  headers.append('Set-Cookie', await deviceCookie(transaction, userId, device, cookie, isSecure))
}

/** The Set-Cookie value of a known browser, for a year. A session has one `device`, so a stolen one gains one budget. */
export async function deviceCookie(
  transaction: Db,
  userId: number,
  device: string,
  given: GetCookie,
  secure: boolean,
): Promise<string> {
  const owner = { id: userId, deviceEpoch: await deviceEpochOf(transaction, userId) }
  const secret = await installationSecret(transaction)
  const entries = entriesIn(given(DEVICE_COOKIE))
  const own = entries.find((entry) => isOf(secret, owner, entry))
  const expires = String(Math.floor(Date.now() / 1000) + DEVICE_SECONDS)
  const kept = { device: own?.device ?? device, expires }
  const renewed = { ...kept, signature: sign(secret, owner, kept.device, expires) }
  const value = [renewed, ...entries.filter((entry) => entry !== own)]
    .slice(0, MAX_ACCOUNTS)
    .map(({ device, expires, signature }) => [device, expires, signature].join('.'))
    .join('~')
  return ownCookie(DEVICE_COOKIE, value, secure, DEVICE_SECONDS)
}

const ASKED_COOKIE = 'asked'
const ASKED_SECONDS = 86_400

function askingBrowser(ctx: Context): string | undefined {
  const own = cookieOf(ctx)
  return own && hashToken(own)
}

const cookieOf = ({ cookie }: Context) => /^[\w-]{43}$/.exec(cookie(ASKED_COOKIE) ?? '')?.[0]

/** Sets the cookie for a browser that asks for a link; returns what identifies it. */
export function setAskedCookie(ctx: Context): string {
  const own = cookieOf(ctx) ?? newToken()
  ctx.headers.append('Set-Cookie', ownCookie(ASKED_COOKIE, own, ctx.services.origin().startsWith('https:'), ASKED_SECONDS))
  return hashToken(own)
}

export const hasAsked = (ctx: Context, { askedBy }: { askedBy: string | null }): boolean => askedBy === askingBrowser(ctx)
