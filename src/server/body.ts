import { Refusal } from './errors'

const MAX_JSON_BYTES = 2 ** 20
/** Bun's own limit, which only imports reach: smaller bodies that are too large get a proper refusal. */
export const MAX_BODY_BYTES = 2 * 2 ** 30 + 32 * 2 ** 20

const tooLarge = () => new Refusal('PAYLOAD_TOO_LARGE', 'The request is too large')

/** Throws PAYLOAD_TOO_LARGE before any of it is read. */
export const assertShort = (request: Request): void => assertLength(request, MAX_JSON_BYTES, tooLarge)

export function assertLength({ headers }: Request, largest: number, refusal: () => Refusal) {
  if (Number(headers.get('content-length')) > largest) throw refusal()
}

export const readText = async (request: Request): Promise<string> =>
  (await readBytes(request, MAX_JSON_BYTES, tooLarge)).toString()

/** A megabyte of keys would take half a second to parse. Throws PAYLOAD_TOO_LARGE. */
export async function readJsonText(request: Request): Promise<string> {
  const text = await readText(request)
  if (hasTooManyKeys(text)) throw tooLarge()
  return text
}

const MAX_KEYS = 1_000

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]

export const hasTooManyKeys = (json: string): boolean => hasMoreOf([COLON], json, MAX_KEYS)

/** Many values take long to parse, a long text does not. */
export const hasMoreValues = (json: string, most: number): boolean => hasMoreOf([COMMA, COLON], json, most)

function hasMoreOf(marks: number[], json: string, most: number): boolean {
  let count = 0
  for (let at = 0; at < json.length && count <= most; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (marks.includes(code)) count += 1
  }
  return count > most
}

function endOfString(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

export async function readBytes(request: Request, largest: number, refusal: () => Refusal): Promise<Buffer> {
  assertLength(request, largest, refusal)
  if (request.headers.has('content-length')) return Buffer.from(await request.arrayBuffer().catch(endedEarly))
  return readWhole(chunksOf(request), largest, refusal)
}

export const readWhole = async (chunks: AsyncIterable<Uint8Array>, largest: number, refusal: () => Error) =>
  Buffer.concat(await Array.fromAsync(limited(chunks, largest, refusal)))

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
