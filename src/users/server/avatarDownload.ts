import { notFound } from '../../server/errors'
import { sandboxFile } from '../../server/headers'
import type { ProtectedRequest } from '../../server/routes'

/** Uploaded under such a name; so none of the attachments, which are for members only, is reached from here. */
const NAME = /^[\da-f-]{36}$/
export const storedName = (name: string) => `avatar-${name}`
export const AVATARS = '/uploads/avatars'

/** A person's picture, for everyone who is signed in. What is under a name never changes; whoever has it may keep it. */
export async function serveAvatar({ services, headers, params: { name = '' } }: ProtectedRequest): Promise<Response> {
  const file = NAME.test(name) ? await services.files.get(storedName(name)) : null
  if (!file) throw notFound('Picture not found')
  sandboxFile(headers)
  headers.set('Content-Type', 'image/webp')
  headers.set('Cache-Control', 'public, max-age=31536000, immutable')
  return new Response(file, { headers })
}
