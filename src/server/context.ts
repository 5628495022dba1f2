import type { Config } from '../config'
import type { Db } from '../db/client'
import type { FileStore } from './files/fileStore'
import type { Sweeper } from './files/sweeper'
import type { Hub } from './live/hub'
import type { Mailer } from './mail/mailer'
import type { RateLimits } from './rateLimits'
import type { Session, Sessions } from './session'

/** What one process of the server shares. A domain that has a service of its own adds it here by declaration merging. */
export interface Services {
  db: Db
  config: Config
  sessions: Sessions
  hub: Hub
  limits: RateLimits
  mailer: Mailer
  files: FileStore
  sweeper: Sweeper
  /** The site's own origin, without a slash at the end. */
  origin(): string
  /** The caller's network address. */
  addressOf(request: Request): string
  /** Lets an answer that waits for another server take longer than Bun's ten seconds. */
  extendTimeout(request: Request): void
}

/** What one call has. `headers` go out with the answer. */
export type Context = {
  services: Services
  session: Session | null
  address: string
  userAgent: string
  headers: Headers
  extendTimeout(): void
}

/** Looks the session up; one whose time was extended sends its cookie again. */
export async function createContext(services: Services, request: Request, headers = new Headers()): Promise<Context> {
  const found = await services.sessions.find(request)
  if (found?.renewed) headers.append('Set-Cookie', found.renewed)
  return {
    services,
    session: found?.session ?? null,
    address: services.addressOf(request),
    userAgent: request.headers.get('user-agent') ?? '',
    headers,
    extendTimeout: () => services.extendTimeout(request),
  }
}
