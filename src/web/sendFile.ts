import { type RefusalBody, VERSION_HEADER } from '../protocol'
import { ownerOfPage } from './client'
import { toast } from './toast'

/** `refusal` is null if the server was unreachable or its answer unreadable. */
export class UploadFailed extends Error {
  constructor(
    readonly refusal: RefusalBody | null,
    readonly requestId?: string | undefined,
  ) {
    super(refusal?.message ?? 'The file could not be sent')
  }
}

export type Sending = { answer: Promise<{ body: unknown; version: number | undefined }>; cancel(): void }

type Progress = (part: number) => void

export function sendFiles(path: string, files: Record<string, Blob>, key: string, onProgress: Progress): Sending {
  const form = new FormData()
  for (const [field, file] of Object.entries(files)) form.append(field, file)
  return sendBody(path, form, key, onProgress)
}

/** By XMLHttpRequest, which reports progress as a fraction of 1. `answer` never settles after `cancel`. */
export function sendBody(path: string, body: FormData | Blob, key: string, onProgress: Progress): Sending {
  const request = new XMLHttpRequest()
  const { promise: answer, resolve, reject } = Promise.withResolvers<{ body: unknown; version: number | undefined }>()
  request.open('POST', path)
  request.setRequestHeader('Idempotency-Key', key)
  const userId = ownerOfPage()
  if (userId !== undefined) request.setRequestHeader('X-User-Id', String(userId))
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  request.onerror = () => reject(new UploadFailed(null))
  request.onload = () => {
    const { status, response } = request
    if (status === 201) resolve({ body: response, version: Number(request.getResponseHeader(VERSION_HEADER)) || undefined })
    else reject(isRefusal(response) ? new UploadFailed(response) : new UploadFailed(null, faultIn(response)))
  }
  request.send(body)
  return { answer, cancel: () => request.abort() }
}

const faultIn = (body: unknown) => (isObject(body) && typeof body.requestId === 'string' ? body.requestId : undefined)

const isRefusal = (body: unknown): body is RefusalBody =>
  isObject(body) && 'message' in body && 'code' in body && body.code !== 'INTERNAL_SERVER_ERROR'

const isObject = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null

/** A link, so that the file streams to disk without being held in memory. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
  toast({ title: 'Download Started', duration: 3_000 })
}
