import { unauthorized } from '../../server/errors'
import { contentDisposition } from '../../server/headers'
import { streamBody } from '../../server/jsonStream'
import type { ProtectedRequest } from '../../server/routes'

type Sending = { name: string; chunks: AsyncGenerator<Uint8Array>; assertMay?: () => Promise<unknown>; onEnd: () => void }

const CHECKED_EVERY_BYTES = 2 ** 20

/** A download, which fails once its reader is signed out, or may no longer have it. */
export async function sendArchive(ctx: ProtectedRequest, { name, chunks, assertMay, onEnd }: Sending): Promise<Response> {
  const { services, session, headers } = ctx
  ctx.extendTimeout()
  const assertStill = async () => {
    if (!(await services.sessions.isLive(session))) throw unauthorized()
    await assertMay?.()
  }
  const body = await streamBody(whileMay(chunks, assertStill), onEnd)
  headers.set('Content-Type', 'application/zip')
  headers.set('Content-Disposition', contentDisposition('attachment', name))
  return new Response(body, { headers })
}

async function* whileMay(chunks: AsyncGenerator<Uint8Array>, assertStill: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let unchecked = 0
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= CHECKED_EVERY_BYTES) {
      await assertStill()
      unchecked = 0
    }
    yield chunk
  }
}
