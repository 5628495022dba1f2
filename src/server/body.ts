import { Refusal } from './errors'

const MAX_JSON_BYTES = 2 ** 20
/** Bun's own limit: what is smaller and too large gets a refusal that says why. Only what is uploaded for an import is as large. */
export const MAX_BODY_BYTES = 2 * 2 ** 30 + 32 * 2 ** 20

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', 'The request is too large')

const TAKES_FILES = /^\/api\/(attachments\/|upload\/avatar$|imports$)/

/** Checks Content-Length before the body is read. Throws PAYLOAD_TOO_LARGE. */
export function assertAnnouncedLength(request: Request, path: string): void {
  if (!TAKES_FILES.test(path)) assertLength(request, MAX_JSON_BYTES, tooLarge)
}

export function assertLength({ headers }: Request, largest: number, refusal: () => Refusal) {
  if (Number(headers.get('content-length')) > largest) throw refusal()
}

/** Throws PAYLOAD_TOO_LARGE. */
export const readText = async (request: Request): Promise<string> =>
  (await readBytes(request, MAX_JSON_BYTES, tooLarge)).toString()

/** As `readText`. A megabyte of keys would take half a second to parse. Throws PAYLOAD_TOO_LARGE. */
export async function readJsonText(request: Request): Promise<string> {
  const text = await readText(request)
  if (hasTooManyKeys(text)) throw tooLarge()
  return text
}

const MAX_KEYS = 1_000

/** Counts the colons outside of strings, without parsing. */
export function hasTooManyKeys(json: string): boolean {
  let keys = 0
  let inString = false
  for (let at = 0; at < json.length && keys <= MAX_KEYS; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (inString && code === BACKSLASH) at += 1
    else if (!inString && code === COLON) keys += 1
  }
  return keys > MAX_KEYS
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/** Counts the bytes of a body that announces no length as they arrive. Throws `refusal`. */
export async function readBytes(request: Request, largest: number, refusal: () => Refusal): Promise<Buffer> {
  assertLength(request, largest, refusal)
  if (request.headers.has('content-length')) return Buffer.from(await request.arrayBuffer().catch(endedEarly))
  return readWhole(chunksOf(request), largest, refusal)
}

/** Counts the bytes as they arrive. Throws `refusal` once there are more than `largest`. */
export const readWhole = async (chunks: AsyncIterable<Uint8Array>, largest: number, refusal: () => Error) =>
  Buffer.concat(await Array.fromAsync(limited(chunks, largest, refusal)))

/** The same chunks. Throws `refusal` once they have more than `largest` bytes. */
export async function* limited(chunks: AsyncIterable<Uint8Array>, largest: number, refusal: () => Error) {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > largest) throw refusal()
    yield chunk
  }
}

export async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    endedEarly()
  }
}

export function endedEarly(): never {
  throw new Refusal('BAD_REQUEST', 'The request ended too early')
}
