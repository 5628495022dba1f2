import { badRequest } from '../errors'
import type { SignedIn } from '../signedIn'

/** What a client calls a change, and what the change is. */
export type Idempotency = { key: string; request: string }

export type KeyedContext = { viewer: SignedIn; idempotency: Idempotency | null; headers: Headers }

const PRINTABLE = /^[ -~]{1,255}$/

/** Throws BAD_REQUEST. */
export function idempotencyOf(request: Request, body: string): Idempotency | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  if (!PRINTABLE.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 printable ASCII characters')
  const { pathname, search } = new URL(request.url)
  return { key, request: `${request.method} ${pathname}${search}\n${body}` }
}

/** A form's boundary is another each time it is sent: what counts is the file in it. */
export const withContent = <Ctx extends Pick<KeyedContext, 'idempotency'>>(ctx: Ctx, bytes: Uint8Array, name = ''): Ctx =>
  withHash(ctx, hashed(bytes), name)

/** As above, of what was too large to be held. */
export function withHash<Ctx extends Pick<KeyedContext, 'idempotency'>>(ctx: Ctx, sha256: string, name = ''): Ctx {
  const { idempotency } = ctx
  return idempotency ? { ...ctx, idempotency: { ...idempotency, request: `${idempotency.request}${name}\n${sha256}` } } : ctx
}

/** Both are kept as hashes only: a request may hold a password, which nobody can try without the key. */
export const hashesOf = ({ key, request }: Idempotency) => ({ key: hashed(key), request: hashed(request, key) })

const hashed = (text: string | Uint8Array, secret?: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest('hex')
