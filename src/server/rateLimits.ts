import type { RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from './address'
import { Refusal } from './errors'
import { openCounters } from './rateCounters'
import type { Session } from './session'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** What may be done how often in how many seconds, and what is said over that (contract.md, section 2). */
const LIMITS = {
  failedLogins: { times: 10, seconds: 15 * MINUTE, says: 'Too many attempts.' },
  // Each costs the time of a hash, and leaves a session.
  logins: { times: 60, seconds: MINUTE, says: 'Too many attempts.' },
  // Each is told by mail, to an address that nobody may have shown to be theirs.
  accountChanges: { times: 5, seconds: HOUR, says: 'Too many changes of this account.' },
  // Each asks something of the provider.
  elsewhere: { times: 60, seconds: 15 * MINUTE, says: 'Too many attempts.' },
  unknownLinks: { times: 60, seconds: 15 * MINUTE, says: 'Too many attempts.' },
  mails: { times: 5, seconds: HOUR, says: 'Too many emails were asked for.' },
  // Each is a mail to somebody who did not ask for it.
  invitations: { times: 50, seconds: HOUR, says: 'Too many invitations were sent.' },
  registrations: { times: 20, seconds: HOUR, says: 'Too many accounts were created from your network.' },
  // Of one person to another: anyone can be added to a board and be written to. What is over that is left out, silently.
  notices: { times: 60, seconds: HOUR, says: 'Too many notifications.' },
  // Each may be 5 MiB of the disk.
  uploads: { times: 300, seconds: 10 * MINUTE, says: 'Too many uploads.' },
  // Each asks several things of the payment provider.
  payments: { times: 30, seconds: 15 * MINUTE, says: 'Too many attempts.' },
  calls: { times: 600, seconds: MINUTE, says: 'Too many requests.' },
}
export type Limit = keyof typeof LIMITS

export type RateLimits = {
  /**
   * Counts one against each of `keys` (a network address, then an account), or against none of them where one is used
   * up; so what callers choose freely comes last. Counting comes before what is counted: a hundred at once are no way
   * around it. Throws TOO_MANY_REQUESTS with the seconds to wait.
   */
  spend(limit: Limit, ...keys: string[]): Promise<void>
  /** As `spend`, where what is over the limit is left out, not refused: whether it is within. */
  allows(limit: Limit, key: string): Promise<boolean>
  /** Takes back what was counted. */
  giveBack(limit: Limit, ...keys: string[]): Promise<void>
  close(): void
}

/** In this process, or, over Redis, in all that serve this site. */
export async function createRateLimits(redisUrl: string | undefined): Promise<RateLimits> {
  const { counters, close } = await openCounters(LIMITS, redisUrl)

  async function giveBack(limit: Limit, ...keys: string[]) {
    for (const key of keys.map(brief)) {
      const { consumedPoints } = await counters[limit].reward(key)
      // Its window ended meanwhile: nobody gets more than the limit from that.
      if (consumedPoints < 0) await counters[limit].delete(key)
    }
  }

  async function spend(limit: Limit, ...keys: string[]) {
    const spent: string[] = []
    for (const key of keys) {
      spent.push(key)
      try {
        await counters[limit].consume(brief(key))
      } catch (result) {
        if (result instanceof Error) throw result
        await giveBack(limit, ...spent)
        // What is no error is the library's way to say that there is nothing left.
        throw tooMany(limit, result as RateLimiterRes)
      }
    }
  }

  const allows = (limit: Limit, key: string) =>
    spend(limit, key).then(
      () => true,
      (error) => (error instanceof Refusal ? false : Promise.reject(error)),
    )

  return { spend, allows, giveBack, close }
}

/** Keys are typed by strangers, of any length, and personal: they are kept as a hash. */
const brief = (key: string) => new Bun.CryptoHasher('sha256').update(networkOf(key)).digest('base64url').slice(0, 22)

function tooMany(limit: Limit, { msBeforeNext }: RateLimiterRes) {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new Refusal('TOO_MANY_REQUESTS', `${LIMITS[limit].says} Please try again in ${inWords(retryAfter)}.`, { retryAfter })
}

function inWords(seconds: number): string {
  const [count, unit] = seconds < MINUTE ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** One call of a signed-in user: each procedure, and each answer that is made without one. Throws TOO_MANY_REQUESTS. */
export async function countCall({ limits }: { limits: RateLimits }, session: Session | null): Promise<void> {
  if (session) await limits.spend('calls', `user ${session.user.id}`)
}

/**
 * Whether a secret is right, asked at most ten times in 15 minutes of one account and from one network address. It is
 * counted as failed before `verify` is asked, and taken back where it was right. `account` is its id, or what was typed
 * where there is none: both are locked alike, so that nobody learns which accounts exist. Of one's `own` account, signed in,
 * it is counted apart: a stranger who guesses at the login page must not keep the owner from changing the password. Throws
 * TOO_MANY_REQUESTS.
 */
export async function guarded(
  { services: { limits }, address }: { services: { limits: RateLimits }; address: string },
  account: number | string | { own: number },
  verify: () => Promise<boolean>,
): Promise<boolean> {
  // The address comes first: one that is used up cannot lock further accounts, nor fill the memory with names.
  const keys = typeof account === 'object' ? [`own ${account.own}`] : [address, accountKey(account)]
  await limits.spend('failedLogins', ...keys)
  const right = await verify()
  if (right) await limits.giveBack('failedLogins', ...keys)
  return right
}

const accountKey = (account: number | string) => (typeof account === 'number' ? `account ${account}` : `name ${account}`)
