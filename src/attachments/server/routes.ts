import { taskEvents } from '../../boards/activity'
import { announce } from '../../boards/server/announce'
import { readBytes } from '../../server/body'
import { createSemaphore } from '../../server/concurrency'
import { badRequest, notFound, Refusal } from '../../server/errors'
import { isKnown } from '../../server/etag'
import { storeFiles, withUploadSlot } from '../../server/files/upload'
import { FORM_OVERHEAD, fileIn } from '../../server/form'
import { contentDisposition, sandboxFile } from '../../server/headers'
import { isAnswered, repeatOrRun, withContent } from '../../server/idempotency.store'
import { note } from '../../server/requests'
import { streamBody } from '../../server/responseBody'
import { idIn, type ProtectedRequest, protectedRoute } from '../../server/routes'
import { once, queuePerCaller } from '../../server/transaction'
import { grantTask, grantTaskReading } from '../../tasks/server/grants'
import { touchTask } from '../../tasks/server/store'
import {
  type AcceptedFiles,
  type Attachment,
  attachment,
  FILE_EMPTY,
  fileNameProblem,
  fileTooLarge,
  isBrowserImage,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_TYPE,
  typeNotAccepted,
} from '../schema'
import { detectMimeType, thumbnailFrom } from './fileContent'
import { grantFile } from './grants'
import { thumbnailOf } from './lookup'
import { assertQuota, createAttachment } from './store'

export const attachmentsRoutes = [
  protectedRoute.post(
    '/api/attachments/:taskId',
    'attachments.create',
    'Attach a file to a task: an image, pdf, doc, docx, xls, xlsx or txt of at most 5 MB, unless the server is configured otherwise',
    attachment,
    upload,
    { status: 201, takesFile: 'file', mayTakeFile: 'thumbnail' },
  ),
  protectedRoute.get('/uploads/:name', 'attachments.file', "An attached file, at the attachment's fileUrl", null, serveFile),
]

async function upload(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, request, params, headers } = ctx
  const taskId = idIn(params.taskId)
  // Refuses before reading the file; rights and quota are checked again when it is stored.
  const assertMayUpload = () =>
    queuePerCaller(ctx, () =>
      services.db.transaction(async (db) => assertQuota(db, await grantTask(db, viewer, taskId, 'change'), 0)),
    )
  const isRepeated = await isAnswered(services.db, ctx)
  const receive = async (assertStillSignedIn: () => Promise<void>) => {
    const file = await receiveFile(request, services.config.attachments)
    await assertStillSignedIn()
    const known = withContent(ctx, file.bytes, file.name)
    return Response.json(await repeatOrRun(known, () => attachWithin(known, taskId, file)), { status: 201, headers })
  }
  return withUploadSlot(ctx, receive, isRepeated ? undefined : assertMayUpload)
}

type ReceivedFile = { name: string; bytes: Buffer; type: string; thumbnail: Buffer | undefined }

async function receiveFile(request: Request, accepted: AcceptedFiles): Promise<ReceivedFile> {
  const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', fileTooLarge(accepted))
  const form = await readBytes(request, accepted.maxBytes + THUMBNAIL_MAX_BYTES + FORM_OVERHEAD, tooLarge)
  const { name, bytes, second } = fileIn(form, request.headers.get('content-type') ?? '', 'file', 'thumbnail')
  if (bytes.length > accepted.maxBytes) throw tooLarge()
  const problem = fileNameProblem(name) ?? (bytes.length === 0 ? FILE_EMPTY : undefined)
  if (problem) throw badRequest(problem)
  const type = await detectMimeType(bytes, name, accepted)
  if (!type) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', typeNotAccepted(accepted))
  return { name, bytes, type, thumbnail: await thumbnailFrom(second, type) }
}

const CREATOR_FULL = 'The board creator’s storage is full, so you cannot add files here until they free up space.'

/** Checks the creator's quota too, which counts removed members' files; otherwise two accounts could store any amount. */
async function attachWithin(ctx: ProtectedRequest, taskId: number, file: ReceivedFile): Promise<Attachment> {
  const { db, accountQuota } = ctx.services
  const { board } = await grantTaskReading(db, ctx.viewer, taskId)
  const store = () => attach(ctx, taskId, file)
  if (board.createdBy === ctx.viewer.id) return store()
  return accountQuota.storingForOthers(board.createdBy, file.bytes.length, CREATOR_FULL, store)
}

function attach(ctx: ProtectedRequest, taskId: number, received: ReceivedFile): Promise<Attachment> {
  const { name, bytes, type, thumbnail } = received
  const filename = crypto.randomUUID()
  const small = thumbnail ? [{ filename: thumbnailOf(filename), bytes: thumbnail, type: THUMBNAIL_TYPE }] : []
  return storeFiles(ctx.services, ctx.viewer.id, [{ filename, bytes, type }, ...small], () =>
    once(ctx, async (transaction) => {
      const grant = await grantTask(transaction.db, ctx.viewer, taskId, 'change')
      const sizes = { fileSize: bytes.length, thumbnailSize: thumbnail?.length ?? null }
      const file = { filename, originalFilename: name, mimeType: type, ...sizes }
      const attachment = await createAttachment(transaction.db, grant, file)
      const counted = { fileCount: grant.task.fileCount + 1, updatedAt: await touchTask(transaction.db, grant) }
      await announce(
        { ...ctx, ...transaction },
        grant,
        { type: 'attachment_added', to: 'openBoard', payload: { taskId, attachment, ...counted } },
        taskEvents(grant.task, { kind: 'file', detail: { did: 'added', name } }),
      )
      return attachment
    }),
  )
}

/** The UUID that `attach` assigns; checked, because Postgres takes no NUL. */
const STORED_NAME = /^([\da-f-]{36})(-thumbnail)?$/
const fileNotFound = () => notFound('File not found')

const acquireDownload = createSemaphore({ perUser: 16, total: 100 }, 'Too many downloads at once.')

async function serveFile(ctx: ProtectedRequest): Promise<Response> {
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
  if (isKnown(request, `"${name}"`)) return new Response(null, { status: 304, headers })
  ctx.extendTimeout()
  const file = await services.files.read(name)
  if (!file) throw fileNotFound()
  headers.set('Content-Type', type)
  if (file instanceof Blob) {
    note({ bytes: file.size })
    return new Response(file, { headers })
  }
  return new Response(await streamBody(file, acquireDownload(viewer.id)), { headers })
}

const opensInBrowser = (type: string) => isBrowserImage(type) || type === 'application/pdf'
