import { setImmediate } from 'node:timers/promises'
import { note, noteStream } from './requests'

/** With headers, less than the 16 KiB that Bun buffers. */
const GATHERED_BYTES = 12_000

/** As a stream, because Bun writes each header of a larger body separately. */
export function wholeBody(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  note({ bytes: bytes.byteLength })
  if (bytes.byteLength <= GATHERED_BYTES) return bytes
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}

export function jsonResponse(value: unknown, status: number, headers: Headers): Response {
  headers.set('Content-Type', 'application/json;charset=utf-8')
  const text = JSON.stringify(value)
  // A UTF-16 unit takes at most three bytes.
  const isShort = text.length <= GATHERED_BYTES / 3
  if (isShort) note({ bytes: Buffer.byteLength(text) })
  const body = isShort ? text : wholeBody(Buffer.from(text))
  return new Response(body, { status, headers })
}

/** A JSON array as text, a chunk per batch of rows. Yields to the event loop between chunks. */
export async function* jsonChunks(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + JSON.stringify(batch).slice(1, -1)
    before = ','
    await setImmediate()
  }
  yield before === '[' ? '[]' : ']'
}

/** Streams as fast as the client reads. Throws what fails before the first chunk. */
export async function streamBody(
  chunks: AsyncGenerator<string | Uint8Array>,
  onEnd?: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let sent = 0
  let noteEnd = (_bytes: number) => {}
  async function* noted() {
    try {
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
        sent += bytes.byteLength
        yield bytes
      }
    } finally {
      onEnd?.()
      noteEnd(sent)
    }
  }
  const source = noted()
  let first: IteratorResult<Uint8Array> | undefined = await source.next()
  noteEnd = noteStream()
  if (first.done) noteEnd(sent)
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = first ?? (await source.next())
      first = undefined
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      void source.return(undefined)
    },
  })
}
