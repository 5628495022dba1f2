import { setImmediate } from 'node:timers/promises'
import { badRequest } from '../../../server/errors'
import { collectGarbage } from '../../../server/memoryBudget'
import { type Encoding, encoding } from '../../schema'

const AT_ONCE = 32 * 1024

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
export async function unicodeOf(path: string): Promise<Encoding> {
  const [first = 0, second = 0] = await Bun.file(path).slice(0, 2).bytes()
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  return 'utf-8'
}

/** UTF-8 only if all of it is valid, else guessed from its letters. */
export async function encodingOf(path: string): Promise<Encoding> {
  const unicode = await unicodeOf(path)
  return unicode !== 'utf-8' || (await isUtf8(path)) ? unicode : guessEncoding(path)
}

const GUESSED: Record<string, Encoding> = {
  ...{ cp874: 'windows-874', cp932: 'shift_jis', cp949: 'euc-kr' },
  ...Object.fromEntries(encoding.options.filter((name) => !name.startsWith('utf-')).map((name) => [name, name])),
}
/** A few accents fit every western encoding: below this it counts as windows-1252. */
const UNSURE = 0.07

async function guessEncoding(path: string): Promise<Encoding> {
  // Loading it takes 0.1 s and 50 MB, which most servers never need.
  const { detect } = await import('jschardet')
  const { encoding, confidence } = detect(await tellingBytes(path), { detectEncodings: Object.keys(GUESSED) })
  return (confidence >= UNSURE && GUESSED[encoding?.toLowerCase() ?? '']) || 'windows-1252'
}

const TELLING_MAX = 16 * 1024

/** Enough lines with non-ASCII letters for a guess. */
async function tellingBytes(path: string): Promise<Uint8Array> {
  const found: Uint8Array[] = []
  let size = 0
  for await (const bytes of withPauses(pieces(Bun.file(path).stream()))) {
    for (const line of linesOfBytes(bytes)) {
      if (size < TELLING_MAX && line.some((byte) => byte > 0x7f)) found.push(line)
      size += found.at(-1) === line ? line.length : 0
    }
    if (size >= TELLING_MAX) break
  }
  return Buffer.concat(found)
}

const LINE_FEED = 0x0a

/** Cuts the end of the last line, which may be half of a character. */
function* linesOfBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
    yield end < 0 ? line.subarray(0, Math.max(0, line.length - 4)) : line
    from += line.length
  }
}

export async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of withPauses(pieces(Bun.file(path).stream()))) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

export const textOf = (path: string, encoding: Encoding): AsyncGenerator<string> => decoded(Bun.file(path).stream(), encoding)

async function* decoded(chunks: Chunks, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of withPauses(pieces(chunks))) {
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

async function* pieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) for (let at = 0; at < chunk.length; at += AT_ONCE) yield chunk.subarray(at, at + AT_ONCE)
}

export async function beginningOf(path: string, encoding: Encoding): Promise<string> {
  for await (const text of textOf(path, encoding)) {
    const begin = text.trimStart()
    if (begin !== '') return begin
  }
  throw badRequest('This file is empty.')
}

const AT_ONCE_MS = 10

/** Yields to the event loop between items, and collects garbage. */
export async function* withPauses<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let since = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - since < AT_ONCE_MS) continue
    await setImmediate()
    collectGarbage()
    since = performance.now()
  }
}
