import { taskEvents } from '../../activity/server/events'
import { announce } from '../../boards/server/announce'
import { readBytes } from '../../server/body'
import { badRequest, Refusal } from '../../server/errors'
import { storeFile, withUploadSlot } from '../../server/files/upload'
import { FORM_OVERHEAD, fileIn } from '../../server/multipart'
import { idIn, type ProtectedRequest } from '../../server/routes'
import { inTransaction } from '../../server/transaction'
import { grantTask } from '../../tasks/server/grants'
import { type Attachment, FILE_EMPTY, FILE_TOO_LARGE, LARGEST_FILE, NOT_ACCEPTED, whatIsWrongWithName } from '../schema'
import { typeOf } from './fileKinds'
import { assertQuota, createAttachment } from './store'

/** Takes a file and attaches it to a task. */
export async function upload(asked: ProtectedRequest): Promise<Response> {
  const { services, viewer, request, params, headers } = asked
  const taskId = idIn(params.taskId)
  // Whoever may not is told before the file is read; what counts is asked again when it is stored.
  const assertMayUpload = () =>
    services.db.transaction(async (db) => assertQuota(db, await grantTask(db, viewer, taskId, 'change'), 0))
  const receive = async (assertStillSignedIn: () => Promise<void>) => {
    const file = await received(request)
    await assertStillSignedIn()
    return Response.json(await attach(asked, taskId, file), { status: 201, headers })
  }
  return withUploadSlot(asked, receive, assertMayUpload)
}

type ReceivedFile = { name: string; bytes: Buffer; type: string }
const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', FILE_TOO_LARGE)

async function received(request: Request): Promise<ReceivedFile> {
  const form = await readBytes(request, LARGEST_FILE + FORM_OVERHEAD, tooLarge)
  const { name, bytes } = fileIn(form, request.headers.get('content-type') ?? '')
  if (bytes.length > LARGEST_FILE) throw tooLarge()
  const wrong = whatIsWrongWithName(name) ?? (bytes.length === 0 ? FILE_EMPTY : undefined)
  if (wrong) throw badRequest(wrong)
  const type = await typeOf(bytes, name)
  if (!type) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', NOT_ACCEPTED)
  return { name, bytes, type }
}

function attach(asked: ProtectedRequest, taskId: number, { name, bytes, type }: ReceivedFile): Promise<Attachment> {
  const filename = crypto.randomUUID()
  return storeFile(asked.services, { filename, bytes, type }, () =>
    inTransaction(asked.services, async (transaction) => {
      const grant = await grantTask(transaction.db, asked.viewer, taskId, 'change')
      const file = { filename, originalFilename: name, fileSize: bytes.length, mimeType: type }
      const attachment = await createAttachment(transaction.db, grant, file)
      await announce(
        { ...asked, ...transaction },
        grant,
        { type: 'attachment_added', to: 'openBoard', payload: { taskId, attachment } },
        taskEvents(grant.task, { kind: 'file', detail: { did: 'added', name } }),
      )
      return attachment
    }),
  )
}
