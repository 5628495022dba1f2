import { claimFile, dropFile, expectFile } from '../../attachments/server/store'
import { placeForUpload } from '../../attachments/server/upload'
import { readBytes } from '../../server/body'
import { Refusal, unauthorized } from '../../server/errors'
import { grantProfile } from '../../server/grants'
import { AROUND_FILE, fileIn } from '../../server/multipart'
import { countCall } from '../../server/rateLimits'
import { type Context, commit } from '../../server/trpc'
import { AVATAR_TOO_LARGE, LARGEST_AVATAR, type OwnUser } from '../schema'
import { tellOfUser } from './announceProfile'
import { AVATARS, inStore } from './avatarDownload'
import { avatarFrom } from './avatarImage'
import { updateProfile } from './store'

/** Takes a picture of any kind and makes it one's avatar. */
export async function uploadAvatar(context: Context, request: Request): Promise<Response> {
  const { parts, session, headers } = context
  if (!session) throw unauthorized()
  await countCall(parts, session)
  await parts.limits.spend('uploads', `user ${session.user.id}`)
  const leave = placeForUpload(session.user.id)
  try {
    const avatar = await avatarFrom(await received(request))
    // A session that ends while its picture is on the way changes nothing any more.
    if (!(await parts.sessions.find(request))) throw unauthorized()
    const url = await keep({ ...context, viewer: session.user }, avatar)
    return Response.json({ url }, { status: 201, headers })
  } finally {
    leave()
  }
}

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', AVATAR_TOO_LARGE)

async function received(request: Request): Promise<Buffer> {
  const form = await readBytes(request, LARGEST_AVATAR + AROUND_FILE, tooLarge)
  const { bytes } = fileIn(form, request.headers.get('content-type') ?? '', 'avatar')
  if (bytes.length > LARGEST_AVATAR) throw tooLarge()
  return bytes
}

/** As with attachments, the file is expected, then written, then wanted; the one that it replaces is noted down by a trigger. */
async function keep(context: Context & { viewer: OwnUser }, avatar: Uint8Array): Promise<string> {
  const { parts } = context
  const name = crypto.randomUUID()
  const filename = inStore(name)
  await expectFile(parts.db, filename)
  await parts.files.put(filename, avatar, 'image/webp')
  try {
    return await commit(parts, async (within) => {
      const grant = await grantProfile(within.db, context.viewer)
      await claimFile(within.db, filename)
      const updated = await updateProfile(within.db, grant, { avatar: `${AVATARS}/${name}` })
      within.sweep()
      await tellOfUser({ ...context, ...within }, grant, updated)
      return updated.user.avatar
    })
  } catch (error) {
    // Where even this fails, the file goes when its hour is over.
    await dropFile(parts.db, filename).then(parts.sweeper.wake, () => {})
    throw error
  }
}
