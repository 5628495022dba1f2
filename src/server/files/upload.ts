import { createSemaphore } from '../concurrency'
import type { Services } from '../context'
import { unauthorized } from '../errors'
import type { ProtectedRequest } from '../routes'
import { dropFile, expectFile } from './store'

/** Files are in memory until they are stored: slow uploads, and a slow store, must not fill it. */
const acquireUpload = createSemaphore({ perUser: 8, total: 40 }, 'Too many uploads at once.')

/**
 * Runs an upload, counted and bounded; `work` calls `assertStillSignedIn` once the file is there, since a session that ends
 * while its file is on the way uploads nothing any more. Throws TOO_MANY_REQUESTS.
 */
export async function withUploadPlace<T>(
  { services, viewer, request }: ProtectedRequest,
  work: (assertStillSignedIn: () => Promise<void>) => Promise<T>,
  before?: () => Promise<void>,
): Promise<T> {
  await services.limits.spend('uploads', `user ${viewer.id}`)
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

/**
 * The file is expected, then written, then claimed within `attach`: whoever is killed on the way leaves a file that is noted
 * down to be deleted, and no row is ever without its file.
 */
export async function storeFile<T>(
  { db, files, sweeper }: Services,
  { filename, bytes, type }: { filename: string; bytes: Uint8Array; type: string },
  attach: () => Promise<T>,
): Promise<T> {
  await expectFile(db, filename)
  // Where this fails the file stays expected: a store that was slow may still write it.
  await files.put(filename, bytes, type)
  try {
    return await attach()
  } catch (error) {
    // Where even this fails, the file goes when its hour is over.
    await dropFile(db, filename).then(sweeper.wake, () => {})
    throw error
  }
}
