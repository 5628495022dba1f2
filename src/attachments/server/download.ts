import { notFound } from '../../server/errors'
import { contentDisposition, sandboxFile } from '../../server/headers'
import type { ProtectedRequest } from '../../server/routes'
import { isPicture } from '../schema'
import { grantFile } from './grants'

/** What upload.ts calls files; the database takes no NUL. */
const NAME = /^[\da-f-]{36}$/
const missing = () => notFound('File not found')

/** An attached file, for members of its board. */
export async function serveFile(asked: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers, request, params } = asked
  const { name = '' } = params
  if (!NAME.test(name)) throw missing()
  const { attachment } = await grantFile(services.db, viewer, name)
  sandboxFile(headers)
  headers.set(
    'Content-Disposition',
    contentDisposition(isShown(attachment.mimeType) ? 'inline' : 'attachment', attachment.originalFilename),
  )
  // It never changes, but whether one may see it can: browsers keep it, and ask each time.
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('ETag', `"${name}"`)
  if (request.headers.get('if-none-match') === `"${name}"`) return new Response(null, { status: 304, headers })
  const file = await services.files.get(name)
  if (!file) throw missing()
  headers.set('Content-Type', attachment.mimeType)
  return new Response(file, { headers })
}

/** Only pictures and PDF are shown in the browser; SVG is a document that can hold scripts. */
const isShown = (type: string) => isPicture(type) || type === 'application/pdf'
