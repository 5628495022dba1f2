import type { Config } from '../config'
import type { Db, PoolUse } from '../db/database'
import type { AccountQuota } from './accountQuota/quota'
import { cookieIn, cookieName } from './cookies'
import type { DiskGuard } from './diskGuard'
import { badRequest, unauthorized } from './errors'
import { type IfMatch, ifMatchOf } from './etag'
import type { FileQuota } from './files/quota'
import type { FileStore } from './files/storage'
import type { Sweeper } from './files/sweeper'
import { type Idempotency, idempotencyOf } from './idempotency.store'
import type { Hub } from './live/hub'
import type { Mailer } from './mail/mailer'
import { isDeveloper } from './origin'
import type { FetchOutside } from './outbound'
import type { RateLimits } from './rateLimits'
import type { Traffic } from './requests'
import type { Session, Sessions } from './signedIn'

/** One process's shared services. Domains add theirs by declaration merging. */
export interface Services {
  db: Db
  config: Config
  sessions: Sessions
  hub: Hub
  limits: RateLimits
  mailer: Mailer
  files: FileStore
  sweeper: Sweeper
  diskGuard: DiskGuard
  fileQuota: FileQuota
  /** A place for a user's upload; returns its release. Throws TOO_MANY_REQUESTS. */
  acquireUpload: (userId: number) => () => void
  accountQuota: AccountQuota
  traffic: Traffic
  fetchOutside: FetchOutside
  ping(milliseconds: number): Promise<void>
  pool(): PoolUse | undefined
  isDraining(): boolean
  origin(): string
  addressOf(request: Request): string
  /** For answers that wait for another server: Bun's timeout is ten seconds. */
  extendTimeout(request: Request): void
}

export type Context = {
  services: Services
  session: Session | null
  address: string
  userAgent: string
  language: string | undefined
  /** A cookie made by `ownCookie`. */
  cookie(name: string): string | undefined
  isDeveloper: boolean
  /** Of the answer. */
  headers: Headers
  bodyBytes: number
  extendTimeout(): void
  signal(): AbortSignal
  batch: string[]
  idempotency: Idempotency | null
  ifMatch: IfMatch | null
}

type Call = { headers?: Headers; batch?: string[]; body?: string }

export async function createContext(
  services: Services,
  request: Request,
  { headers = new Headers(), batch = [], body = '' }: Call = {},
): Promise<Context> {
  // Read first: a disconnected client has no address.
  const address = services.addressOf(request)
  const found = await services.sessions.find(request)
  for (const cookie of found?.renewed ?? []) headers.append('Set-Cookie', cookie)
  if (found && !isMeant(request, found.session)) throw unauthorized()
  const session = found?.session ?? null
  const mayChange = session && request.method !== 'GET' && request.method !== 'HEAD'
  const idempotency = mayChange ? idempotencyOf(request, body) : null
  if (idempotency && batch.length > 1)
    throw badRequest('An Idempotency-Key covers a single change: send that change in a request of its own')
  const ifMatch = mayChange ? ifMatchOf(request) : null
  return {
    services,
    session,
    address,
    userAgent: request.headers.get('user-agent') ?? '',
    language: /^[\w-]+/.exec(request.headers.get('accept-language') ?? '')?.[0],
    cookie: (name) => cookieIn(request, cookieName(name, services.origin().startsWith('https:'))),
    isDeveloper: isDeveloper(services.config, request),
    headers,
    bodyBytes: Buffer.byteLength(body),
    extendTimeout: () => services.extendTimeout(request),
    signal: () => request.signal,
    batch,
    idempotency,
    ifMatch,
  }
}

/** In another tab, someone else may have signed in since. */
function isMeant({ headers }: Request, { user }: Session): boolean {
  const userId = headers.get('x-user-id')
  return userId === null || userId === String(user.id)
}
