import type { Db } from '../../db/database'
import { findInstallationSecret, installationSecret } from '../../db/installation'
import type { Context } from '../../server/context'
import { ownCookie } from '../../server/cookies'
import type { Caller } from '../../server/rateLimits'
import { newToken } from '../../server/tokens'
import { askingBrowser } from './askingBrowser'
import { deviceEpochOf } from './lookup'

const SECONDS = 365 * 86_400
const MAX_ACCOUNTS = 5
/** OWASP's device cookie: it signs nobody in, but a browser that has it tries to on a budget of its own. */
const COOKIE = 'device'

type Owner = { id: number; deviceEpoch: number }
type GetCookie = (name: string) => string | undefined

/** One for each account that signed in. It does not name the account: its signature fits that one alone. */
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

/** Who tries to get into an account, as far as it can be told; takes the same time where nobody has the account. */
export async function callerOf(
  ctx: Context,
  account: { user: { id: number }; deviceEpoch: number } | undefined,
): Promise<Caller> {
  const { services, address, cookie } = ctx
  const owner = account ? { id: account.user.id, deviceEpoch: account.deviceEpoch } : NOBODY
  const entries = entriesIn(cookie(COOKIE))
  const secret = entries.length > 0 ? await findInstallationSecret(services.db) : undefined
  const own = secret === undefined ? undefined : entries.find((entry) => isOf(secret, owner, entry))
  return { address: address(), browser: askingBrowser(ctx), device: own && `${owner.id} ${own.device}` }
}

/** Within a transaction: gives the browser the cookie as below. */
export async function noteDevice(ctx: Context, transaction: Db, userId: number, device = newToken()): Promise<void> {
  const { services, headers, cookie } = ctx
  const isSecure = services.origin().startsWith('https:')
  headers.append('Set-Cookie', await deviceCookie(transaction, userId, device, cookie, isSecure))
}

/**
 * Within a transaction: the Set-Cookie value by which an account knows a browser that is signed in to it for another year.
 * `device` names one that it does not know yet: within a session by that session, so that whoever has stolen one cannot have
 * many budgets.
 */
export async function deviceCookie(
  transaction: Db,
  userId: number,
  device: string,
  given: GetCookie,
  secure: boolean,
): Promise<string> {
  const owner = { id: userId, deviceEpoch: await deviceEpochOf(transaction, userId) }
  const secret = await installationSecret(transaction)
  const entries = entriesIn(given(COOKIE))
  const own = entries.find((entry) => isOf(secret, owner, entry))
  const expires = String(Math.floor(Date.now() / 1000) + SECONDS)
  const kept = { device: own?.device ?? device, expires }
  const renewed = { ...kept, signature: sign(secret, owner, kept.device, expires) }
  const value = [renewed, ...entries.filter((entry) => entry !== own)]
    .slice(0, MAX_ACCOUNTS)
    .map(({ device, expires, signature }) => [device, expires, signature].join('.'))
    .join('~')
  return ownCookie(COOKIE, value, secure, SECONDS)
}
