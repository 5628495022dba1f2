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

const lengthOf = (row: object) =>
  Object.values(row).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
