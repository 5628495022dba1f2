/** More than so many characters are no chunk, however few rows have them. */
const LENGTH_MAX = 2 ** 20

export async function* inChunks<Row extends object>(rows: AsyncIterable<Row>, rowsAtOnce: () => number): AsyncGenerator<Row[]> {
  let chunk: Row[] = []
  let length = 0
  for await (const row of rows) {
    length += lengthOf(row)
    if (chunk.push(row) < rowsAtOnce() && length < LENGTH_MAX) continue
    yield chunk
    chunk = []
    length = 0
  }
  if (chunk.length > 0) yield chunk
}

/** Also of what is within it: an event's detail may be as long as a row can be. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + lengthOf(one), 0)
}
