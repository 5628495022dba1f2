import { createSemaphore } from '../concurrency'
import type { Services } from '../context'
import { unauthorized } from '../errors'
import type { ProtectedRequest } from '../routes'
import { dropFile, expectFile } from './store'

/** Files stay in memory until a possibly slow store has them. */
const acquireUpload = createSemaphore({ perUser: 8, total: 40 }, 'Too many uploads at once.')

/** Runs an upload, limited. `work` calls `assertStillSignedIn` once the file has arrived. Throws TOO_MANY_REQUESTS. */
export async function withUploadSlot<T>(
  { services, viewer, request }: ProtectedRequest,
  work: (assertStillSignedIn: () => Promise<void>) => Promise<T>,
  before?: () => Promise<void>,
): Promise<T> {
  await services.limits.consume('uploads', `user ${viewer.id}`)
  await before?.()
  const release = acquireUpload(viewer.id)
  try {
    return await work(async () => {
      if (!(await services.sessions.find(request))) throw unauthorized()
    })
  } finally {
    release()
  }
}

/** Expected, written, then claimed: a crash leaves a file due for deletion, never a row without its file. */
export async function storeFile<T>(
  { db, files, sweeper }: Services,
  { filename, bytes, type }: { filename: string; bytes: Uint8Array; type: string },
  attach: () => Promise<T>,
): Promise<T> {
  await expectFile(db, filename)
  // If this fails the file stays expected: a slow store may still write it.
  await files.put(filename, bytes, type)
  try {
    return await attach()
  } catch (error) {
    await dropFile(db, filename).then(sweeper.sweepSoon, () => {})
    throw error
  }
}
