import type { RefusalBody } from '../schema'

/** `refusal` is null where the server was out of reach or answered nonsense. */
export class UploadFailed extends Error {
  constructor(readonly refusal: RefusalBody | null) {
    super(refusal?.message ?? 'The file could not be sent')
  }
}

export type Sending = { answer: Promise<{ body: unknown; version: number | undefined }>; cancel(): void }

/** By XMLHttpRequest, which reports progress, a fraction of 1. `answer` never settles after `cancel`. */
export function sendFiles(path: string, files: Record<string, Blob>, key: string, onProgress: (part: number) => void): Sending {
  const request = new XMLHttpRequest()
  const { promise: answer, resolve, reject } = Promise.withResolvers<{ body: unknown; version: number | undefined }>()
  request.open('POST', path)
  request.setRequestHeader('Idempotency-Key', key)
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  request.onerror = () => reject(new UploadFailed(null))
  request.onload = () => {
    const { status, response } = request
    if (status === 201) resolve({ body: response, version: Number(request.getResponseHeader('x-board-version')) || undefined })
    else reject(new UploadFailed(isRefusal(response) ? response : null))
  }
  const form = new FormData()
  for (const [field, file] of Object.entries(files)) form.append(field, file)
  request.send(form)
  return { answer, cancel: () => request.abort() }
}

const isRefusal = (body: unknown): body is RefusalBody =>
  typeof body === 'object' && body !== null && 'message' in body && 'code' in body && body.code !== 'INTERNAL_SERVER_ERROR'
