import { blocksOf, networkOf } from './clientAddress'
import { Refusal } from './errors'
import { openCounters, type SharedCounters } from './rateCounters'
import { requireSignedIn, type Session, type SignedInSession } from './signedIn'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Names, networks and devices have separate counters: a flood of invented names crowds out only names. */
const LIMITS = {
  failedLogins: { times: 10, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  failedLoginsShare: { times: 7, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  failedLoginsNetwork: { times: 10, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  failedLoginsDevice: { times: 10, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  ownPassword: { times: 10, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  logins: { times: 60, seconds: MINUTE, message: 'Too many attempts.' },
  accountChanges: { times: 5, seconds: HOUR, message: 'Too many changes to this account.' },
  // Each sign-in counts twice: on the way to the provider and on the way back.
  providerSignIns: { times: 120, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  unknownLinks: { times: 60, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  boardNames: { times: 60, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  mails: { times: 5, seconds: HOUR, message: 'Too many emails requested.' },
  mailsShare: { times: 3, seconds: HOUR, message: 'Too many emails requested.' },
  mailsNetwork: { times: 5, seconds: HOUR, message: 'Too many emails requested.' },
  mailsDevice: { times: 5, seconds: HOUR, message: 'Too many emails requested.' },
  testMails: { times: 20, seconds: HOUR, message: 'Too many test emails.' },
  invitations: { times: 50, seconds: HOUR, message: 'Too many invitations.' },
  registrations: { times: 20, seconds: HOUR, message: 'Too many new accounts from your network.' },
  // Per sender and recipient; excess notifications are dropped silently.
  notifications: { times: 60, seconds: HOUR, message: 'Too many notifications.' },
  uploads: { times: 300, seconds: 10 * MINUTE, message: 'Too many uploads.' },
  exports: { times: 10, seconds: HOUR, message: 'Too many downloads of your data.' },
  boardExports: { times: 30, seconds: HOUR, message: 'Too many board exports.' },
  payments: { times: 30, seconds: 15 * MINUTE, message: 'Too many attempts.' },
  boardStarters: { times: 20, seconds: HOUR, message: 'Too many boards from lists or examples.' },
  imports: { times: 30, seconds: HOUR, message: 'Too many imports.' },
  previewChanges: { times: 300, seconds: HOUR, message: 'Too many changes to import previews.' },
  searches: { times: 120, seconds: MINUTE, message: 'Too many searches.' },
  calls: { times: 600, seconds: MINUTE, message: 'Too many requests.' },
}
export type Limit = keyof typeof LIMITS
/** `networks`: how many networks the key stands for, which multiplies its budget. */
type Count = [limit: Limit, key: string, networks?: number]

const NETWORKS_OF = { site: 10, provider: 100 }

export type RateLimits = {
  /**
   * Counts one against each key, or none when one is used up, so keys that callers choose freely come last. Counts first and
   * refunds, so a hundred tries at once cannot slip past. Throws TOO_MANY_REQUESTS with `retryAfter` in seconds.
   */
  consume(limit: Limit, ...keys: string[]): Promise<void>
  /** Counts against the address's network and its IPv6 blocks. Throws TOO_MANY_REQUESTS. */
  consumeFrom(limit: Limit, address: string): Promise<void>
  /** `otherwise` ends the refusal's sentence. */
  consumeAll(counts: Count[], otherwise?: string): Promise<void>
  tryConsume(limit: Limit, key: string): Promise<boolean>
  refundAll(counts: Count[]): Promise<void>
  close(): void
}

export async function createRateLimits(shared: SharedCounters | undefined): Promise<RateLimits> {
  const { counters, close } = await openCounters(LIMITS, shared)

  async function refundAll(counts: Count[]) {
    for (const [limit, key] of counts) await counters[limit].decrement(hashKey(key))
  }

  async function consumeAll(counts: Count[], otherwise = '') {
    for (const [n, [limit, key, networks = 1]] of counts.entries()) {
      const { count, endsInMs } = await counters[limit].increment(hashKey(key))
      if (count <= LIMITS[limit].times * networks) continue
      await refundAll(counts.slice(0, n + 1))
      throw tooMany(limit, endsInMs, otherwise)
    }
  }

  const consume = (limit: Limit, ...keys: string[]) => consumeAll(keys.map((key) => [limit, key]))
  const consumeFrom = (limit: Limit, address: string) => consumeAll(fromNetwork(limit, address))

  const tryConsume = (limit: Limit, key: string) =>
    consume(limit, key).then(
      () => true,
      (error) => (error instanceof Refusal ? false : Promise.reject(error)),
    )

  return { consume, consumeFrom, consumeAll, tryConsume, refundAll, close }
}

/** Keys are personal and of any length. */
const hashKey = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('base64url').slice(0, 22)

/** Widest first, so that one provider's addresses do not fill the counters of others. */
function fromNetwork(limit: Limit, address: string): Count[] {
  const blocks = blocksOf(address)
  const wider: Count[] = blocks
    ? [
        [limit, blocks.provider, NETWORKS_OF.provider],
        [limit, blocks.site, NETWORKS_OF.site],
      ]
    : []
  return [...wider, [limit, networkOf(address)]]
}

function tooMany(limit: Limit, endsInMs: number, otherwise: string) {
  const retryAfter = Math.max(1, Math.ceil(endsInMs / 1000))
  const message = `${LIMITS[limit].message} Please try again in ${waitText(retryAfter)}${otherwise}.`
  return new Refusal('TOO_MANY_REQUESTS', message, { retryAfter })
}

function waitText(seconds: number): string {
  const [count, unit] = seconds < MINUTE ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export async function countCall({ limits }: { limits: RateLimits }, session: Session | null): Promise<void> {
  if (session) await limits.consume('calls', `user ${session.user.id}`)
}

/** Throws UNAUTHORIZED, TOO_MANY_REQUESTS. */
export async function countedSession(services: { limits: RateLimits }, given: Session | null): Promise<SignedInSession> {
  const session = requireSignedIn(given)
  await countCall(services, session)
  return session
}

/** Who is trying to sign in. `browser` has kept a cookie; `device` has signed in to this account before. */
export type Caller = { address: string; browser?: string | undefined; device?: string | undefined }

/** One network or browser can use only a share of a name's budget, so that a stranger leaves the owner some. */
const sharing = (limit: 'failedLogins' | 'mails', { address, browser }: Caller, name: string): Count[] => [
  ...fromNetwork(`${limit}Network`, address),
  [`${limit}Share`, `${networkOf(address)} ${name}`],
  ...(browser ? [[`${limit}Share`, `browser ${browser} ${name}`] satisfies Count] : []),
  [limit, name],
]

const IN_KNOWN_BROWSER = ', or use a browser you have signed in with before'

/** Counts an attempt to sign in. A known device has its own budget first: strangers cannot keep the owner out. */
async function consumeWayIn(limits: RateLimits, limit: 'failedLogins' | 'mails', caller: Caller, name: string): Promise<Count[]> {
  const { device } = caller
  if (device && (await limits.tryConsume(`${limit}Device`, device))) return [[`${limit}Device`, device]]
  const others = sharing(limit, caller, name)
  await limits.consumeAll(others, device ? '' : IN_KNOWN_BROWSER)
  return others
}

/** Counts a link that signs in to the account of an address, if it has one. Throws TOO_MANY_REQUESTS. */
export async function countLink({ limits }: { limits: RateLimits }, caller: Caller, to: string): Promise<void> {
  await consumeWayIn(limits, 'mails', caller, to)
}

/** Counts other emails that the recipient may not have asked for. Throws TOO_MANY_REQUESTS. */
export const countMail = ({ limits }: { limits: RateLimits }, address: string, to: string): Promise<void> =>
  limits.consumeAll(sharing('mails', { address }, to))

/** Allows ten failures in 15 minutes; unknown names too, so nobody learns which exist. Throws TOO_MANY_REQUESTS. */
export async function limitAttempts(
  { limits }: { limits: RateLimits },
  caller: Caller,
  account: number | string,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const name = typeof account === 'number' ? `account ${account}` : `name ${account}`
  const failures = await consumeWayIn(limits, 'failedLogins', caller, name)
  await limits.consume('logins', name).catch(async (error: unknown) => {
    await limits.refundAll(failures)
    throw error
  })
  return refundIfRight(limits, failures, verify)
}

/** For the user's own password while signed in, so that strangers at the login page cannot block them. */
export async function limitOwnAttempts(
  { limits }: { limits: RateLimits },
  { id }: { id: number },
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const failures: Count[] = [['ownPassword', `user ${id}`]]
  await limits.consumeAll(failures)
  return refundIfRight(limits, failures, verify)
}

async function refundIfRight(limits: RateLimits, failures: Count[], verify: () => Promise<boolean>): Promise<boolean> {
  const isRight = await verify()
  if (isRight) await limits.refundAll(failures)
  return isRight
}
