import { notFound, unauthorized } from '../../server/errors'
import { grantFile } from '../../server/grants'
import { disposition } from '../../server/headers'
import { countCall } from '../../server/rateLimits'
import type { Context } from '../../server/trpc'
import { isPicture } from '../schema'

/** Whatever is in a file, it runs nothing, loads nothing and is framed by nobody. */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** What upload.ts calls files; the database takes no NUL. */
const NAME = /^[\da-f-]{36}$/
const missing = () => notFound('File not found')

/** An attached file, to members of its board. */
export async function serveFile({ parts, session, headers }: Context, request: Request, name: string): Promise<Response> {
  if (!session) throw unauthorized()
  await countCall(parts, session)
  if (!NAME.test(name)) throw missing()
  const { attachment } = await grantFile(parts.db, session.user, name)
  headers.set('Content-Security-Policy', FILE_POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set(
    'Content-Disposition',
    disposition(isShown(attachment.mimeType) ? 'inline' : 'attachment', attachment.originalFilename),
  )
  // It never changes, but whether one may see it can: browsers keep it, and ask each time.
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('ETag', `"${name}"`)
  if (request.headers.get('if-none-match') === `"${name}"`) return new Response(null, { status: 304, headers })
  const file = await parts.files.get(name)
  if (!file) throw missing()
  headers.set('Content-Type', attachment.mimeType)
  return new Response(file, { headers })
}

/** Only pictures and PDF are shown in the browser; SVG is a document that can hold scripts. */
const isShown = (type: string) => isPicture(type) || type === 'application/pdf'
