import { did } from '../../activity/server/store'
import { readBytes } from '../../server/body'
import { createPlaces } from '../../server/concurrency'
import { badRequest, Refusal, unauthorized } from '../../server/errors'
import { grantTask } from '../../server/grants'
import { AROUND_FILE, fileIn } from '../../server/multipart'
import { countCall } from '../../server/rateLimits'
import { announcing, type Context, commit } from '../../server/trpc'
import { type Attachment, FILE_EMPTY, FILE_TOO_LARGE, LARGEST_FILE, NOT_ACCEPTED, whatIsWrongWithName } from '../schema'
import { typeOf } from './fileKinds'
import { assertRoom, createAttachment, dropFile, expectFile } from './store'

/** Takes a file and attaches it to a task. */
export async function upload(context: Context, request: Request, taskId: number): Promise<Response> {
  const { parts, session } = context
  if (!session) throw unauthorized()
  await countCall(parts, session)
  await parts.limits.spend('uploads', `user ${session.user.id}`)
  // Whoever may not is told before the file is read; what counts is asked again when it is stored.
  await parts.db.transaction(async (db) => assertRoom(db, await grantTask(db, session.user, taskId, 'change'), 0))
  const leave = placeForUpload(session.user.id)
  try {
    const file = await received(request)
    // A session that ends while its file is on the way attaches nothing any more.
    if (!(await parts.sessions.find(request))) throw unauthorized()
    const attachment = await keep({ ...context, viewer: session.user }, taskId, file)
    return Response.json(attachment, { status: 201, headers: context.headers })
  } finally {
    leave()
  }
}

/** Files are in memory until they are stored: slow uploads, and a slow store, must not fill it. */
export const placeForUpload = createPlaces({ each: 8, all: 40 }, 'Too many uploads at once.')

type Received = { name: string; bytes: Buffer; type: string }
const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', FILE_TOO_LARGE)

async function received(request: Request): Promise<Received> {
  const form = await readBytes(request, LARGEST_FILE + AROUND_FILE, tooLarge)
  const { name, bytes } = fileIn(form, request.headers.get('content-type') ?? '')
  if (bytes.length > LARGEST_FILE) throw tooLarge()
  const wrong = whatIsWrongWithName(name) ?? (bytes.length === 0 ? FILE_EMPTY : undefined)
  if (wrong) throw badRequest(wrong)
  const type = await typeOf(bytes, name)
  if (!type) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', NOT_ACCEPTED)
  return { name, bytes, type }
}

type Uploader = Context & { viewer: NonNullable<Context['session']>['user'] }

/**
 * The file is expected, then written, then attached: whoever is killed on the way leaves a file that is noted down to be
 * deleted, and no attachment is ever without its file.
 */
async function keep({ parts, viewer, headers }: Uploader, taskId: number, { name, bytes, type }: Received): Promise<Attachment> {
  const filename = crypto.randomUUID()
  await expectFile(parts.db, filename)
  // Where this fails the file stays expected: a store that was slow may still write it.
  await parts.files.put(filename, bytes, type)
  try {
    return await commit(parts, async (within) => {
      const grant = await grantTask(within.db, viewer, taskId, 'change')
      const file = { filename, originalFilename: name, fileSize: bytes.length, mimeType: type }
      const attachment = await createAttachment(within.db, grant, file)
      const announce = announcing({ ...within, viewer, headers }, grant.board.id)
      await announce(
        { type: 'attachment_added', payload: { taskId, attachment } },
        did(grant.task, { kind: 'file', detail: { did: 'added', name } }),
      )
      return attachment
    })
  } catch (error) {
    // Where even this fails, the file goes when its hour is over.
    await dropFile(parts.db, filename).then(parts.sweeper.wake, () => {})
    throw error
  }
}
