import { notFound } from '../../server/errors'
import { sandboxFile } from '../../server/headers'
import { note } from '../../server/requests'
import type { ProtectedRequest } from '../../server/routes'

/** Only avatars are stored under such names: attachments, for members only, cannot be reached from here. */
const NAME = /^[\da-f-]{36}$/
export const storedName = (name: string) => `avatar-${name}`
export const AVATARS = '/uploads/avatars'

/** Names are unguessable and never reused for another picture. */
export async function serveAvatar({ services, headers, params: { name = '' } }: ProtectedRequest): Promise<Response> {
  const file = NAME.test(name) ? await services.files.get(storedName(name)) : null
  if (!file) throw notFound('Picture not found')
  sandboxFile(headers)
  headers.set('Content-Type', 'image/webp')
  headers.set('Cache-Control', 'private, max-age=31536000, immutable')
  note({ bytes: file.size })
  return new Response(file, { headers })
}
