import { useSyncExternalStore } from 'react'
import { randomKey } from '../../web/client'
import { answered } from '../../web/live/liveQuery'
import { faultIdOf } from '../../web/refusal'
import { type Sending, sendFiles, UploadFailed } from '../../web/sendFile'
import { toast } from '../../web/toast'
import { FILE_EMPTY, FILE_MAX_BYTES, FILE_TOO_LARGE, fileNameProblem, kindByName, TYPE_NOT_ACCEPTED } from '../schema'
import { thumbnailOf } from './thumbnail'

export type Upload = {
  id: number
  boardId: number
  taskId: number
  file: File
  /** The same at each try, so that a file whose answer was lost is not there twice. */
  key: string
  state: 'waiting' | 'sending' | 'failed'
  sent: number
}

const AT_ONCE = 2

/** Kept outside of components: uploads go on when the task's dialog is closed. */
let uploads: readonly Upload[] = []
let lastId = 0
const sendings = new Map<number, Sending>()
const listeners = new Set<() => void>()

function set(next: readonly Upload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
const change = (id: number, changes: Partial<Upload>) =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
const remove = (id: number) => set(uploads.filter((upload) => upload.id !== id))

export const useUploads = (taskId: number): Upload[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => uploads,
  ).filter((upload) => upload.taskId === taskId)

/** Uploads files to a task; one that would be refused says so at once. */
export function addFiles(boardId: number, taskId: number, files: Iterable<File>): void {
  for (const file of files) {
    const words = rejectionOf(file)
    if (words) toast({ variant: 'destructive', ...words })
    else set([...uploads, { id: ++lastId, boardId, taskId, file, key: randomKey(), state: 'waiting', sent: 0 }])
  }
  sendWaiting()
}

const TOO_LARGE = { title: 'File too large', description: FILE_TOO_LARGE }
const NO_KIND = { title: 'File not accepted', description: TYPE_NOT_ACCEPTED }
const failed = (description = 'Could not upload the file. Please try again.') => ({ title: 'Upload Failed', description })

function rejectionOf({ name, size }: File) {
  const wrong = fileNameProblem(name) ?? (size === 0 ? FILE_EMPTY : undefined)
  if (size > FILE_MAX_BYTES) return TOO_LARGE
  if (!kindByName(name)) return NO_KIND
  return wrong === undefined ? null : failed(wrong)
}

export function retryUpload({ id }: Upload): void {
  change(id, { state: 'waiting', sent: 0 })
  sendWaiting()
}

export function cancelUpload({ id }: Upload): void {
  sendings.get(id)?.cancel()
  sendings.delete(id)
  remove(id)
  sendWaiting()
}

function sendWaiting() {
  const free = AT_ONCE - uploads.filter(({ state }) => state === 'sending').length
  for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, free)) void send(upload)
}

async function send({ id, boardId, taskId, file, key }: Upload) {
  change(id, { state: 'sending' })
  const thumbnail = await thumbnailOf(file)
  const isCancelled = !uploads.some((upload) => upload.id === id)
  if (isCancelled) return
  const files = { file, ...(thumbnail && { thumbnail }) }
  const sending = sendFiles(`/api/attachments/${taskId}`, files, key, (sent) => change(id, { sent }))
  sendings.set(id, sending)
  try {
    const { version } = await sending.answer
    if (version !== undefined) answered(boardId, version)
    remove(id)
    toast({ title: 'File uploaded' })
  } catch (error) {
    console.warn('A file was not uploaded', error)
    fail(id, error)
  }
  sendings.delete(id)
  sendWaiting()
}

/** Refusals that a retry cannot change. */
const FINAL = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND']

function fail(id: number, error: unknown) {
  const refused = error instanceof UploadFailed ? error.refusal : null
  if (refused && FINAL.includes(refused.code)) remove(id)
  else change(id, { state: 'failed', sent: 0 })
  const words =
    refused?.code === 'PAYLOAD_TOO_LARGE'
      ? TOO_LARGE
      : refused?.code === 'UNSUPPORTED_MEDIA_TYPE'
        ? NO_KIND
        : failed(refused?.message)
  toast({ variant: 'destructive', faultId: faultIdOf(error), ...words })
}

window.addEventListener('beforeunload', (event) => {
  if (uploads.some(({ state }) => state !== 'failed')) event.preventDefault()
})
