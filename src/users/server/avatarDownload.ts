import { FILE_POLICY } from '../../attachments/server/download'
import { notFound, unauthorized } from '../../server/errors'
import { countCall } from '../../server/rateLimits'
import type { Context } from '../../server/trpc'

/** What upload.ts calls them; so none of the attachments, which are for members only, is reached from here. */
const NAME = /^[\da-f-]{36}$/
export const inStore = (name: string) => `avatar-${name}`
export const AVATARS = '/uploads/avatars'

/** A person's picture, to everyone who is signed in. What is under a name never changes; whoever has it may keep it. */
export async function serveAvatar({ parts, session, headers }: Context, name: string): Promise<Response> {
  if (!session) throw unauthorized()
  await countCall(parts, session)
  const file = NAME.test(name) ? await parts.files.get(inStore(name)) : null
  if (!file) throw notFound('Picture not found')
  headers.set('Content-Type', 'image/webp')
  headers.set('Content-Security-Policy', FILE_POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('Cache-Control', 'public, max-age=31536000, immutable')
  return new Response(file, { headers })
}
