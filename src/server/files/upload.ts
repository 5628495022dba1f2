import type { Config } from '../../config'
import { createSemaphore } from '../concurrency'
import type { Services } from '../context'
import { unauthorized } from '../errors'
import type { ProtectedRequest } from '../routes'
import { dropFiles, expectFiles } from './store'

/** For all uploads together: files stay in memory until a possibly slow store has them. */
const MEMORY_BYTES = 200 * 2 ** 20

/** Places for uploads, fewer if larger files are allowed. */
export function createUploadSlots({ maxBytes }: Config['attachments']) {
  const total = Math.max(8, Math.floor(MEMORY_BYTES / maxBytes))
  return createSemaphore({ perUser: Math.min(8, Math.floor(total / 4)), total: Math.min(40, total) }, 'Too many uploads at once.')
}

/** `work` calls `assertStillSignedIn` once the file has arrived. Throws TOO_MANY_REQUESTS, INSUFFICIENT_STORAGE. */
export async function withUploadSlot<T>(
  { services, viewer, request }: ProtectedRequest,
  work: (assertStillSignedIn: () => Promise<void>) => Promise<T>,
  before?: () => Promise<void>,
): Promise<T> {
  await services.limits.consume('uploads', `user ${viewer.id}`)
  await services.fileQuota.assertRoomFor(1)
  await before?.()
  const release = services.acquireUpload(viewer.id)
  try {
    return await work(async () => {
      if (!(await services.sessions.find(request))) throw unauthorized()
    })
  } finally {
    release()
  }
}

type NewFile = { filename: string; bytes: Uint8Array; type: string }

export function storeFiles<T>(services: Services, userId: number, files: NewFile[], attach: () => Promise<T>): Promise<T> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  const store = () => services.fileQuota.storing(bytes, () => writeAndAttach(services, files, attach))
  return services.accountQuota.storing(userId, bytes, store)
}

/** Expected, written, then claimed: a crash leaves a file due for deletion, never a row without its file. */
async function writeAndAttach<T>({ db, files, sweeper }: Services, newFiles: NewFile[], attach: () => Promise<T>): Promise<T> {
  const names = newFiles.map(({ filename }) => filename)
  await expectFiles(db, names)
  // If this fails the files stay expected: a slow store may still write them.
  await Promise.all(newFiles.map(({ filename, bytes, type }) => files.put(filename, bytes, type)))
  try {
    return await attach()
  } catch (error) {
    await dropFiles(db, names).then(sweeper.sweepSoon, () => {})
    throw error
  }
}
