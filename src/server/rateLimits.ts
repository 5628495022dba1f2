import type { RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from './address'
import { Refusal } from './errors'
import { openCounters } from './rateCounters'
import type { Bus } from './redis'
import type { Session } from './signedIn'

const MINUTE = 60
const HOUR = 60 * MINUTE

const LIMITS = {
  failedLogins: { times: 10, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  failedLoginsShare: { times: 7, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  logins: { times: 60, seconds: MINUTE, message: 'Too many attempts.' },
  accountChanges: { times: 5, seconds: HOUR, message: 'Too many changes of this account.' },
  providerSignIns: { times: 60, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  unknownLinks: { times: 60, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  boardNames: { times: 60, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  mails: { times: 5, seconds: HOUR, message: 'Too many emails were asked for.' },
  mailsShare: { times: 3, seconds: HOUR, message: 'Too many emails were asked for.' },
  testMails: { times: 20, seconds: HOUR, message: 'Too many emails were tried.' },
  invitations: { times: 50, seconds: HOUR, message: 'Too many invitations were sent.' },
  registrations: { times: 20, seconds: HOUR, message: 'Too many accounts were created from your network.' },
  // Per sender and recipient; excess notifications are dropped silently.
  notifications: { times: 60, seconds: HOUR, message: 'Too many notifications.' },
  uploads: { times: 300, seconds: 10 * MINUTE, message: 'Too many uploads.' },
  exports: { times: 10, seconds: HOUR, message: 'Your data was downloaded too often.' },
  boardExports: { times: 30, seconds: HOUR, message: 'Boards were exported too often.' },
  payments: { times: 30, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  boardStarters: { times: 20, seconds: HOUR, message: 'Too many boards were made from lists and examples.' },
  imports: { times: 30, seconds: HOUR, message: 'Too many boards were imported.' },
  searches: { times: 120, seconds: MINUTE, message: 'Too many searches.' },
  calls: { times: 600, seconds: MINUTE, message: 'Too many requests.' },
}
export type Limit = keyof typeof LIMITS
type Count = [limit: Limit, key: string]

export type RateLimits = {
  /**
   * Counts one against each key, or none when one is used up, so keys that callers choose freely come last. Counts first and
   * refunds, so a hundred tries at once cannot slip past. Throws TOO_MANY_REQUESTS with `retryAfter` in seconds.
   */
  consume(limit: Limit, ...keys: string[]): Promise<void>
  consumeAll(counts: Count[]): Promise<void>
  tryConsume(limit: Limit, key: string): Promise<boolean>
  refund(limit: Limit, ...keys: string[]): Promise<void>
  refundAll(counts: Count[]): Promise<void>
  close(): void
}

export async function createRateLimits(bus: Bus | undefined): Promise<RateLimits> {
  const { counters, close } = await openCounters(LIMITS, bus)

  async function refundAll(counts: Count[]) {
    for (const [limit, key] of counts) {
      const { consumedPoints } = await counters[limit].reward(hashKey(key))
      // The window ended meanwhile: a negative count would allow more than the limit.
      if (consumedPoints < 0) await counters[limit].delete(hashKey(key))
    }
  }

  async function consumeAll(counts: Count[]) {
    const consumed: Count[] = []
    for (const [limit, key] of counts) {
      consumed.push([limit, key])
      try {
        await counters[limit].consume(hashKey(key))
      } catch (result) {
        if (result instanceof Error) throw result
        await refundAll(consumed)
        // The library rejects with a result, not an error, when nothing is left.
        throw tooMany(limit, result as RateLimiterRes)
      }
    }
  }

  const under = (limit: Limit, keys: string[]) => keys.map((key): Count => [limit, key])
  const consume = (limit: Limit, ...keys: string[]) => consumeAll(under(limit, keys))
  const refund = (limit: Limit, ...keys: string[]) => refundAll(under(limit, keys))

  const tryConsume = (limit: Limit, key: string) =>
    consume(limit, key).then(
      () => true,
      (error) => (error instanceof Refusal ? false : Promise.reject(error)),
    )

  return { consume, consumeAll, tryConsume, refund, refundAll, close }
}

/** Keys are personal and of any length. */
const hashKey = (key: string) => new Bun.CryptoHasher('sha256').update(networkOf(key)).digest('base64url').slice(0, 22)

function tooMany(limit: Limit, { msBeforeNext }: RateLimiterRes) {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new Refusal('TOO_MANY_REQUESTS', `${LIMITS[limit].message} Please try again in ${waitText(retryAfter)}.`, {
    retryAfter,
  })
}

function waitText(seconds: number): string {
  const [count, unit] = seconds < MINUTE ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Counts a call of a signed-in user. Throws TOO_MANY_REQUESTS. */
export async function countCall({ limits }: { limits: RateLimits }, session: Session | null): Promise<void> {
  if (session) await limits.consume('calls', `user ${session.user.id}`)
}

/** One address uses up a share of what a `name` has, so that a stranger leaves the owner something. The address comes first. */
const sharing = (limit: 'failedLogins' | 'mails', address: string, name: string): Count[] => [
  [limit, address],
  [`${limit}Share`, `${networkOf(address)} ${name}`],
  [limit, name],
]

/** Counts a mail to somebody who may not have asked for it. Throws TOO_MANY_REQUESTS. */
export const countMail = ({ limits }: { limits: RateLimits }, address: string, to: string): Promise<void> =>
  limits.consumeAll(sharing('mails', address, to))

/**
 * Allows ten failures in 15 minutes per account and per address. Unknown names are locked like accounts, so nobody learns
 * which exist; one's `own` account counts apart, so a stranger at the login page cannot block its owner. Throws
 * TOO_MANY_REQUESTS.
 */
export async function limitAttempts(
  { services: { limits }, address }: { services: { limits: RateLimits }; address(): string },
  account: number | string | { own: number },
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const failures: Count[] =
    typeof account === 'object'
      ? [['failedLogins', `own ${account.own}`]]
      : sharing('failedLogins', address(), accountKey(account))
  const tries: Count[] = typeof account === 'object' ? [] : [['logins', accountKey(account)]]
  await limits.consumeAll([...failures, ...tries])
  const isRight = await verify()
  if (isRight) await limits.refundAll(failures)
  return isRight
}

const accountKey = (account: number | string) => (typeof account === 'number' ? `account ${account}` : `name ${account}`)
