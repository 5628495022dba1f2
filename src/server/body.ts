import { Refusal } from './errors'

const MAX_JSON_BYTES = 2 ** 20
/** Bun's own limit. A body between the two gets a refusal that says why. */
export const MAX_BODY_BYTES = 32 * 2 ** 20

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', 'The request is too large')

const TAKES_FILES = /^\/api\/(attachments\/|upload\/avatar$)/

/** Checks Content-Length before the body is read. Throws PAYLOAD_TOO_LARGE. */
export function assertAnnouncedLength(request: Request, path: string): void {
  if (!TAKES_FILES.test(path)) assertLength(request, MAX_JSON_BYTES, tooLarge)
}

function assertLength({ headers }: Request, largest: number, refusal: () => Refusal) {
  if (Number(headers.get('content-length')) > largest) throw refusal()
}

/** Throws PAYLOAD_TOO_LARGE. */
export const readText = async (request: Request): Promise<string> =>
  (await readBytes(request, MAX_JSON_BYTES, tooLarge)).toString()

/** Counts bytes as they arrive, because chunked bodies announce no length. Throws `refusal`. */
export async function readBytes(request: Request, largest: number, refusal: () => Refusal): Promise<Buffer> {
  assertLength(request, largest, refusal)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(request)) {
    length += chunk.byteLength
    if (length > largest) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new Refusal('BAD_REQUEST', 'The request ended too early')
  }
}
