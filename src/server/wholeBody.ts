import { note } from './requests'

/** With its headers, less than the 16 KiB that Bun gathers before it writes. */
const GATHERED_BYTES = 12_000

/** As a stream, for otherwise Bun writes each header of a larger body to the network by itself. */
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

/** As `Response.json`. */
export function jsonResponse(value: unknown, status: number, headers: Headers): Response {
  headers.set('Content-Type', 'application/json;charset=utf-8')
  const text = JSON.stringify(value)
  // No letter takes more than three bytes here.
  const isShort = text.length <= GATHERED_BYTES / 3
  if (isShort) note({ bytes: Buffer.byteLength(text) })
  const body = isShort ? text : wholeBody(Buffer.from(text))
  return new Response(body, { status, headers })
}
