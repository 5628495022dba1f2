import { Refusal } from './errors'

/** A JSON body: a task's description at its longest is a tenth of this. */
const LARGEST_JSON = 2 ** 20
/** What Bun takes in at all; between the two, the refusal says why. */
export const LARGEST_BODY = 32 * 2 ** 20

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', 'The request is too large')

/** Refuses a body by the length that it is announced with, before it is read. Throws PAYLOAD_TOO_LARGE. */
export function assertAnnouncedLength(request: Request): void {
  if (Number(request.headers.get('content-length')) > LARGEST_JSON) throw tooLarge()
}

/** The body's text; one that comes in chunks announces no length, so it is measured as it comes. Throws PAYLOAD_TOO_LARGE. */
export async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of arriving(request)) {
    length += chunk.byteLength
    if (length > LARGEST_JSON) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function* arriving({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new Refusal('BAD_REQUEST', 'The request ended too early')
  }
}
