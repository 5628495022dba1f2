import { badRequest } from '../../../server/errors'
import { withPauses } from './withPauses'

const AT_ONCE = 32 * 1024

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** By its first bytes, else UTF-8 where all of it is, else what Windows wrote before. */
export async function encodingOf(path: string): Promise<Encoding> {
  const [first = 0, second = 0] = await Bun.file(path).slice(0, 2).bytes()
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  return (await isUtf8(path)) ? 'utf-8' : 'windows-1252'
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of withPauses(pieces(path))) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** In short parts, without a byte order mark. */
export async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of withPauses(pieces(path))) {
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

async function* pieces(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of Bun.file(path).stream())
    for (let at = 0; at < chunk.length; at += AT_ONCE) yield chunk.subarray(at, at + AT_ONCE)
}

/** The first character that is not blank. */
export async function beginningOf(path: string, encoding: Encoding): Promise<string> {
  for await (const text of textOf(path, encoding)) {
    const begin = text.trimStart()
    if (begin !== '') return begin
  }
  throw badRequest('This file is empty.')
}
