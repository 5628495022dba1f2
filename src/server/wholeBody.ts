import { note } from './requests'

/** With its headers, less than the 16 KiB that Bun gathers before it writes. */
const GATHERED_BYTES = 12_000

/** Parts that follow each other, as a stream, for otherwise Bun writes each header of a larger body to the network by itself. */
export function wholeBody(...parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
  note({ bytes })
  if (bytes <= GATHERED_BYTES) return Buffer.concat(parts)
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
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
