import { randomKey } from '../../web/client'
import { createStore } from '../../web/createStore'
import { noteAnswered } from '../../web/live/liveQuery'
import { isTemporary, storedId } from '../../web/live/temporaryIds'
import { faultIdOf } from '../../web/refusal'
import { type Sending, sendFiles, UploadFailed } from '../../web/sendFile'
import { settings } from '../../web/settings'
import { toast } from '../../web/toast'
import {
  FILE_EMPTY,
  fileNameProblem,
  fileTooLarge,
  kindByName,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_MAX_SIDE,
  THUMBNAIL_TYPE,
  typeNotAccepted,
} from '../schema'
import { shortName, sizeText } from './display'

export type Upload = {
  id: number
  boardId: number
  taskId: number
  file: File
  /** The same for each try, so that a file whose answer was lost is not stored twice. */
  key: string
  /** Chosen together with a file that was refused: a notice would replace the refusal. */
  isQuiet: boolean
  state: 'waiting' | 'sending' | 'failed'
  sent: number
}

const AT_ONCE = 2

/** Outside of components: uploads go on when the dialog is closed. */
const uploads = createStore<readonly Upload[]>([])
let lastId = 0
const sendings = new Map<number, Sending>()

const change = (id: number, changes: Partial<Upload>) =>
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
const remove = (id: number) => uploads.set(uploads.get().filter((upload) => upload.id !== id))

export const useUploads = (taskId: number): Upload[] => uploads.use().filter((upload) => upload.taskId === taskId)

export const UNSAVED_TASK = 'You can add files once this task is saved.'

/** Refuses at once what the server would refuse, and files for a task that is not saved yet: a reload would lose them. */
export function addFiles(boardId: number, shownTaskId: number, files: Iterable<File>): void {
  const taskId = storedId(shownTaskId)
  if (isTemporary(taskId)) {
    toast({ variant: 'destructive', title: 'Task not saved yet', description: UNSAVED_TASK })
    return
  }
  const given = [...files].map((file) => ({ file, refusal: rejectionOf(file) }))
  const refusals = given.flatMap(({ refusal }) => refusal ?? [])
  const isQuiet = refusals.length > 0
  toastRefusals(refusals)
  for (const { file, refusal } of given) {
    if (refusal) continue
    uploads.set([...uploads.get(), { id: ++lastId, boardId, taskId, file, key: randomKey(), isQuiet, state: 'waiting', sent: 0 }])
  }
  sendWaiting()
}

const REFUSALS_SHOWN = 3

/** One toast for all, because each would replace the one before. */
function toastRefusals(refusals: ReturnType<typeof failed>[]): void {
  const [first, ...others] = refusals
  if (!first) return
  const title = others.length > 0 ? `${refusals.length} Files Not Attached` : first.title
  const more = refusals.length - REFUSALS_SHOWN
  const reasons = refusals.slice(0, REFUSALS_SHOWN).map(({ description }) => description)
  toast({ variant: 'destructive', title, description: [...reasons, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ') })
}

const tooLarge = ({ name, size }: File) => ({
  title: 'File too large',
  description: `${fileTooLarge(settings().attachments)} “${shortName(name)}” is ${sizeText(size)}.`,
})
const notAccepted = ({ name }: File) => ({
  title: 'File not accepted',
  description: `“${shortName(name)}” was not attached. ${typeNotAccepted(settings().attachments)}`,
})
const failed = (description = 'Could not upload the file. Please try again.') => ({ title: 'Upload Failed', description })

function rejectionOf(file: File) {
  const { name, size } = file
  const wrong = fileNameProblem(name) ?? (size === 0 ? FILE_EMPTY : undefined)
  if (size > settings().attachments.maxBytes) return tooLarge(file)
  if (!kindByName(name, settings().attachments)) return notAccepted(file)
  return wrong === undefined ? null : failed(`“${shortName(name)}” was not attached. ${wrong}`)
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
  const free = AT_ONCE - uploads.get().filter(({ state }) => state === 'sending').length
  for (const upload of uploads
    .get()
    .filter(({ state }) => state === 'waiting')
    .slice(0, free))
    void send(upload)
}

async function send({ id, boardId, taskId, file, key, isQuiet }: Upload) {
  change(id, { state: 'sending' })
  const thumbnail = await thumbnailOf(file)
  const isCancelled = !uploads.get().some((upload) => upload.id === id)
  if (isCancelled) return
  const files = { file, ...(thumbnail && { thumbnail }) }
  const sending = sendFiles(`/api/attachments/${taskId}`, files, key, (sent) => change(id, { sent }))
  sendings.set(id, sending)
  try {
    const { version } = await sending.answer
    if (version !== undefined) noteAnswered(boardId, version)
    remove(id)
    if (!isQuiet) toast({ title: 'File uploaded' })
  } catch (error) {
    console.warn('A file was not uploaded', error)
    fail(id, file, error)
  }
  sendings.delete(id)
  sendWaiting()
}

/** Refused again at each retry. */
const FINAL = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND']

function fail(id: number, file: File, error: unknown) {
  const refused = error instanceof UploadFailed ? error.refusal : null
  if (refused && FINAL.includes(refused.code)) remove(id)
  else change(id, { state: 'failed', sent: 0 })
  const words =
    refused?.code === 'PAYLOAD_TOO_LARGE'
      ? tooLarge(file)
      : refused?.code === 'UNSUPPORTED_MEDIA_TYPE'
        ? notAccepted(file)
        : failed(refused?.message)
  toast({ variant: 'destructive', faultId: faultIdOf(error), ...words })
}

window.addEventListener('beforeunload', (event) => {
  if (uploads.get().some(({ state }) => state !== 'failed')) event.preventDefault()
})

const DRAWABLE = /^image\/(png|jpeg|webp|gif)$/

/** Null for anything but pictures, and if the browser cannot make one. */
async function thumbnailOf(file: File): Promise<Blob | null> {
  if (!DRAWABLE.test(file.type)) return null
  try {
    const thumbnail = await drawSmall(file)
    return thumbnail.type === THUMBNAIL_TYPE && thumbnail.size <= THUMBNAIL_MAX_BYTES ? thumbnail : null
  } catch {
    return null
  }
}

async function drawSmall(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, THUMBNAIL_MAX_SIDE / Math.max(picture.width, picture.height))
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1)
  const context = canvas.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.convertToBlob({ type: THUMBNAIL_TYPE, quality: 0.8 })
}
