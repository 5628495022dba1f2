import { badRequest, Refusal } from './errors'

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

const MAX_HEAD_BYTES = 4096

export const FORM_OVERHEAD = 2 * MAX_HEAD_BYTES

const BROKEN = 'The form could not be read'

type FileInForm = { name: string; bytes: Buffer }

/** Bun's own parser cuts names at NUL and leaves %22 in them. Throws BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE. */
export function fileIn(form: Buffer, contentType: string, field: string, second?: string): FileInForm & { second?: Buffer } {
  const delimiter = `--${boundaryOf(contentType)}`
  if (!form.subarray(0, delimiter.length).equals(Buffer.from(delimiter))) throw badRequest(BROKEN)
  const file = partAt(form, delimiter, delimiter.length)
  const name = nameIn(file.head, field)
  const next = file.isLast ? undefined : partAt(form, delimiter, file.end)
  const isRight = !next || (next.isLast && second !== undefined && nameIn(next.head, second) !== undefined)
  if (name === undefined || !isRight) throw badRequest(`Send one file, as the field "${field}".`)
  return { name, bytes: file.bytes, ...(next && { second: next.bytes }) }
}

function partAt(form: Buffer, delimiter: string, start: number) {
  const headLength = form.subarray(start, start + MAX_HEAD_BYTES).indexOf('\r\n\r\n')
  if (headLength < 0) throw badRequest(BROKEN)
  const endOfHead = start + headLength
  const endOfBytes = form.indexOf(`\r\n${delimiter}`, endOfHead + 2)
  if (endOfBytes < 0) throw badRequest('The form ended too early')
  const end = endOfBytes + 2 + delimiter.length
  return {
    head: form.toString('utf8', start, endOfHead),
    bytes: form.subarray(endOfHead + 4, endOfBytes),
    end,
    isLast: form.toString('latin1', end, end + 2) === '--',
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data')
  return boundary
}

const DISPOSITION = /^content-disposition:\s*form-data(?=;)(.*)$/is
const PARAMETER = /;\s*([\w*]+)=(?:"((?:\\"|[^"])*)"|([^\s;"]*))/g

function nameIn(head: string, field: string): string | undefined {
  const disposition = head.split('\r\n').flatMap((line) => DISPOSITION.exec(line)?.[1] ?? [])[0]
  const given = new Map(
    [...(disposition ?? '').matchAll(PARAMETER)].map(([, key = '', quoted, plain]) => [key.toLowerCase(), quoted ?? plain ?? '']),
  )
  if (given.get('name') !== field) return undefined
  const extended = /^utf-8'[^']*'(.*)$/i.exec(given.get('filename*') ?? '')?.[1]
  return extended === undefined ? unescaped(given.get('filename')) : percentDecoded(extended)
}

/** Browsers percent-encode these three; other clients escape quotes. */
const unescaped = (name: string | undefined) =>
  name?.replaceAll('\\"', '"').replace(/%(22|0d|0a)/gi, (written) => decodeURIComponent(written))

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw badRequest(BROKEN)
  }
}
