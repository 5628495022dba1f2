import { Refusal } from './errors'

/** A JSON body: a task's description at its longest is a tenth of this. */
const LARGEST_JSON = 2 ** 20
/** What Bun takes in at all; between the two, the refusal says why. */
export const LARGEST_BODY = 32 * 2 ** 20

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', 'The request is too large')

/** Calls that take files: they measure them by themselves. */
const TAKES_FILES = /^\/api\/(attachments\/|upload\/avatar$)/

/** Refuses a body by the length that it is announced with, before it is read. Throws PAYLOAD_TOO_LARGE. */
export function assertAnnouncedLength(request: Request, path: string): void {
  if (!TAKES_FILES.test(path)) assertLength(request, LARGEST_JSON, tooLarge)
}

function assertLength({ headers }: Request, largest: number, refusal: () => Refusal) {
  if (Number(headers.get('content-length')) > largest) throw refusal()
}

/** The body's text. Throws PAYLOAD_TOO_LARGE. */
export const readText = async (request: Request): Promise<string> => (await readBytes(request, LARGEST_JSON, tooLarge)).toString()

/** The body, up to a length; one that comes in chunks announces none, so it is measured as it comes. Throws `refusal`. */
export async function readBytes(request: Request, largest: number, refusal: () => Refusal): Promise<Buffer> {
  assertLength(request, largest, refusal)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of arriving(request)) {
    length += chunk.byteLength
    if (length > largest) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* arriving({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new Refusal('BAD_REQUEST', 'The request ended too early')
  }
}
