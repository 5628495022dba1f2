import { notFound } from '../../server/errors'
import { contentDisposition, sandboxFile } from '../../server/headers'
import { note } from '../../server/requests'
import type { ProtectedRequest } from '../../server/routes'
import { isBrowserImage, THUMBNAIL_TYPE } from '../schema'
import { grantFile } from './grants'

/** The UUID that upload.ts assigns; checked, because Postgres takes no NUL. */
const STORED_NAME = /^([\da-f-]{36})(-thumbnail)?$/
const fileNotFound = () => notFound('File not found')

export async function serveFile(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers, request, params } = ctx
  const { name = '' } = params
  const [, filename, isThumbnail] = STORED_NAME.exec(name) ?? []
  if (!filename) throw fileNotFound()
  const { attachment } = await grantFile(services.db, viewer, filename)
  if (isThumbnail && !attachment.thumbnailUrl) throw fileNotFound()
  const type = isThumbnail ? THUMBNAIL_TYPE : attachment.mimeType
  const shownName = isThumbnail ? `${attachment.originalFilename}.webp` : attachment.originalFilename
  sandboxFile(headers)
  headers.set('Content-Disposition', contentDisposition(opensInBrowser(type) ? 'inline' : 'attachment', shownName))
  // Files never change, but access to them does, so browsers must revalidate.
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('ETag', `"${name}"`)
  if (request.headers.get('if-none-match') === `"${name}"`) return new Response(null, { status: 304, headers })
  const file = await services.files.get(name)
  if (!file) throw fileNotFound()
  headers.set('Content-Type', type)
  note({ bytes: file.size })
  return new Response(file, { headers })
}

const opensInBrowser = (type: string) => isBrowserImage(type) || type === 'application/pdf'
