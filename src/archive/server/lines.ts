import { ArchiveFailed } from '../schema'

/** No row is as long: a task's description has 20,000 characters at most. */
const LONGEST_LINE = 8 * 2 ** 20

/** Without their ends. Throws ArchiveFailed where one is too long to be one. */
export async function* linesIn(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  longest = LONGEST_LINE,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    if (rest.length > longest) throw new ArchiveFailed('a line of the archive is too long')
    yield* lines
  }
  if (rest !== '') yield rest
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

/** Counts the commas and colons outside of strings, without parsing: many values take long, where a long text does not. */
export function hasMoreValues(json: string, most: number): boolean {
  let values = 0
  for (let at = 0; at < json.length && values <= most; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === COMMA || code === COLON) values += 1
  }
  return values > most
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

/** Undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
