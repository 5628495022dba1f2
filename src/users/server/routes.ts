import { readBytes } from '../../server/body'
import { notFound, Refusal } from '../../server/errors'
import { claimFiles } from '../../server/files/store'
import { storeFiles, withUploadSlot } from '../../server/files/upload'
import { FORM_OVERHEAD, fileIn } from '../../server/form'
import { sandboxFile } from '../../server/headers'
import { repeatOrRun, withContent } from '../../server/idempotency.store'
import { note } from '../../server/requests'
import { type ProtectedRequest, protectedRoute } from '../../server/routes'
import { once } from '../../server/transaction'
import { AVATAR_TOO_LARGE, avatarUrl, LARGEST_AVATAR } from '../schema'
import { avatarFrom } from './avatarImage'
import { changeProfile } from './changes'
import { AVATARS, storedName } from './lookup'

export const usersRoutes = [
  protectedRoute.post(
    '/api/upload/avatar',
    'users.uploadAvatar',
    'Set your avatar: a still JPEG, PNG, WebP or GIF of at most 5 MB and 25 megapixels, at most 8 times longer than wide',
    avatarUrl,
    uploadAvatar,
    { status: 201, takesFile: 'avatar' },
  ),
  protectedRoute.get(
    '/uploads/avatars/:name',
    'users.avatar',
    "A user's avatar, at the path that their avatar field gives",
    null,
    serveAvatar,
  ),
]

function uploadAvatar(ctx: ProtectedRequest): Promise<Response> {
  return withUploadSlot(ctx, async (assertStillSignedIn) => {
    const image = await receiveImage(ctx.request)
    await assertStillSignedIn()
    const known = withContent(ctx, image)
    const url = await repeatOrRun(known, async () => saveAvatar(known, await avatarFrom(image)))
    return Response.json({ url }, { status: 201, headers: ctx.headers })
  })
}

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', AVATAR_TOO_LARGE)

async function receiveImage(request: Request): Promise<Buffer> {
  const form = await readBytes(request, LARGEST_AVATAR + FORM_OVERHEAD, tooLarge)
  const { bytes } = fileIn(form, request.headers.get('content-type') ?? '', 'avatar')
  if (bytes.length > LARGEST_AVATAR) throw tooLarge()
  return bytes
}

/** A trigger marks the replaced picture for deletion. */
function saveAvatar(ctx: ProtectedRequest, picture: Uint8Array): Promise<string> {
  const name = crypto.randomUUID()
  const file = { filename: storedName(name), bytes: picture, type: 'image/webp' }
  return storeFiles(ctx.services, ctx.viewer.id, [file], () =>
    once(ctx, async (transaction) => {
      const { avatar } = await changeProfile({ ...ctx, ...transaction }, { avatar: `${AVATARS}/${name}` })
      await claimFiles(transaction.db, [file.filename])
      transaction.sweep()
      return avatar
    }),
  )
}

/** Only avatars have such names: attachments cannot be reached from here. */
const NAME = /^[\da-f-]{36}$/

/** Names are unguessable and never reused. */
async function serveAvatar({ services, headers, params: { name = '' } }: ProtectedRequest): Promise<Response> {
  const file = NAME.test(name) ? await services.files.get(storedName(name)) : null
  if (!file) throw notFound('Avatar not found')
  sandboxFile(headers)
  headers.set('Content-Type', 'image/webp')
  headers.set('Cache-Control', 'private, max-age=31536000, immutable')
  note({ bytes: file.size })
  return new Response(file, { headers })
}
