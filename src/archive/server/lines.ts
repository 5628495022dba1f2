import { ArchiveFailed } from '../schema'

/** No row is as long: a task's description has 20,000 characters at most. */
const LONGEST_LINE = 8 * 2 ** 20

/** Without their ends. Throws ArchiveFailed where one is too long to be one. */
export async function* linesIn(chunks: AsyncIterable<string | Uint8Array> | Iterable<string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new ArchiveFailed('a line of the archive is too long')
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
