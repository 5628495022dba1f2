import { grantProfile } from '../../boards/server/grants'
import { readBytes } from '../../server/body'
import { Refusal } from '../../server/errors'
import { claimFiles } from '../../server/files/store'
import { storeFiles, withUploadSlot } from '../../server/files/upload'
import { withContent } from '../../server/idempotency/key'
import { earlierOr } from '../../server/idempotency/once'
import { FORM_OVERHEAD, fileIn } from '../../server/multipart'
import type { ProtectedRequest } from '../../server/routes'
import { once } from '../../server/transaction'
import { AVATAR_TOO_LARGE, LARGEST_AVATAR } from '../schema'
import { announceProfile } from './announceProfile'
import { AVATARS, storedName } from './avatarDownload'
import { avatarFrom } from './avatarImage'
import { updateProfile } from './store'

export const uploadAvatar = (ctx: ProtectedRequest): Promise<Response> =>
  withUploadSlot(ctx, async (assertStillSignedIn) => {
    const image = await receiveImage(ctx.request)
    await assertStillSignedIn()
    const known = withContent(ctx, image)
    const url = await earlierOr(known, async () => saveAvatar(known, await avatarFrom(image)))
    return Response.json({ url }, { status: 201, headers: ctx.headers })
  })

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', AVATAR_TOO_LARGE)

async function receiveImage(request: Request): Promise<Buffer> {
  const form = await readBytes(request, LARGEST_AVATAR + FORM_OVERHEAD, tooLarge)
  const { bytes } = fileIn(form, request.headers.get('content-type') ?? '', 'avatar')
  if (bytes.length > LARGEST_AVATAR) throw tooLarge()
  return bytes
}

/** A trigger marks the replaced picture for deletion. */
function saveAvatar(ctx: ProtectedRequest, avatar: Uint8Array): Promise<string> {
  const name = crypto.randomUUID()
  const file = { filename: storedName(name), bytes: avatar, type: 'image/webp' }
  return storeFiles(ctx.services, ctx.viewer.id, [file], () =>
    once(ctx, async (transaction) => {
      const grant = await grantProfile(transaction.db, ctx.viewer)
      await claimFiles(transaction.db, [file.filename])
      const updated = await updateProfile(transaction.db, grant, { avatar: `${AVATARS}/${name}` })
      transaction.sweep()
      await announceProfile({ ...ctx, ...transaction }, grant, updated)
      return updated.user.avatar
    }),
  )
}
