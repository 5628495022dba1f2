import { useSyncExternalStore } from 'react'
import { randomKey } from '../../web/client'
import { faultIdOf } from '../../web/refusal'
import { type Sending, sendBody, UploadFailed } from '../../web/sendFile'
import { toast } from '../../web/toast'
import { ARCHIVE_MAX_BYTES, NOT_UNDERSTOOD, TEXT_MAX_BYTES } from '../basics'
import type { BoardImport } from '../schema'
import { putImport } from './cache'

export type Upload = {
  file: File
  /** The same at each try, so that a file whose answer was lost is not there twice. */
  key: string
  sent: number
  state: 'sending' | 'failed' | 'read'
  words?: string
  faultId?: string | undefined
  mayTryAgain?: boolean
  made?: BoardImport
}

/** Kept outside of components: an upload goes on while one looks at something else. */
let upload: Upload | null = null
let sending: Sending | undefined
const listeners = new Set<() => void>()

function set(next: Upload | null) {
  upload = next
  for (const listener of listeners) listener()
}
const change = (changes: Partial<Upload>) => set(upload && { ...upload, ...changes })

export const useUpload = (): Upload | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => upload,
  )

/** Each file is shown before it becomes a board, so they come one by one; what was chosen before stays. */
export function chooseOnly([file, ...others]: File[]): void {
  if (file && others.length === 0) chooseFile(file)
  else if (file) toast({ title: 'One File at a Time', description: SEVERAL, variant: 'destructive' })
}

const SEVERAL = 'Each file becomes a board of its own, which you see first. Please choose them one by one.'

function chooseFile(file: File): void {
  sending?.cancel()
  const words = problemOf(file)
  set({ file, key: randomKey(), sent: 0, state: 'failed', ...(words && { words }) })
  if (!words) void sendAgain()
}

export function forgetUpload(): void {
  sending?.cancel()
  sending = undefined
  set(null)
}

const GB = 2 ** 30
const MB = 2 ** 20
const EMPTY = 'This file is empty.'
const TOO_LARGE = `An archive of wrk may have ${ARCHIVE_MAX_BYTES / GB} GB, and what other programs export ${TEXT_MAX_BYTES / MB} MB. This file is larger.`

const SPREADSHEET = 'This is a spreadsheet: save it as CSV, and choose that file.'
const UNREADABLE = 'This cannot be read: it is a folder, or a file that was moved or changed. Choose the file again.'

const isArchive = ({ name }: File) => /\.zip$/i.test(name)

function problemOf(file: File): string | undefined {
  if (file.size === 0) return EMPTY
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name)) return SPREADSHEET
  if (/^(image|audio|video)\/|\/pdf$/.test(file.type)) return NOT_UNDERSTOOD
  return file.size > (isArchive(file) ? ARCHIVE_MAX_BYTES : TEXT_MAX_BYTES) ? TOO_LARGE : undefined
}

export async function sendAgain(): Promise<void> {
  if (!upload) return
  const { file, key } = upload
  set({ file, key, sent: 0, state: 'sending' })
  const isReadable = await canRead(file)
  if (upload?.key !== key) return
  if (!isReadable) return change({ state: 'failed', words: UNREADABLE })
  // Not as what it is, for the server reads JSON of that type whole.
  const bytes = file.slice(0, file.size, 'application/octet-stream')
  const own = sendBody(`/api/imports?name=${encodeURIComponent(file.name)}`, bytes, key, (sent) => change({ sent }))
  sending = own
  try {
    const { body } = await own.answer
    arrived(body as BoardImport)
  } catch (error) {
    console.warn('A file was not uploaded', error)
    change({ state: 'failed', ...failureOf(error) })
  }
}

const canRead = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

function arrived(made: BoardImport) {
  putImport(made)
  const isLookedAt = listeners.size > 0
  if (isLookedAt) return change({ state: 'read', made })
  set(null)
  toast({ title: 'File Read', description: `What would come from “${made.fileName}” is under Import. Nothing is written yet.` })
}

const CUT_OFF = 'The upload was cut off. Your file is still chosen: try again.'
const FAULT = 'Something went wrong on our side. Your file is still chosen: try again.'

/** Refusals that another try of the same file cannot change. */
const FINAL = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'BAD_REQUEST']

function failureOf(error: unknown): Pick<Upload, 'words' | 'faultId' | 'mayTryAgain'> {
  const refused = error instanceof UploadFailed ? error.refusal : null
  const faultId = faultIdOf(error)
  const words = refused?.message ?? (faultId ? FAULT : CUT_OFF)
  return { words, faultId, mayTryAgain: !refused || !FINAL.includes(refused.code) }
}

window.addEventListener('beforeunload', (event) => {
  if (upload?.state === 'sending') event.preventDefault()
})
