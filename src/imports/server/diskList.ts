import { linesIn } from '../../archive/server/lines'

/** Values on the disk, a line of JSON each: what is too much to stay in memory while another server is awaited. */
export function createDiskList<T>(path: string) {
  const writer = Bun.file(path).writer()
  return {
    add(value: T): undefined {
      writer.write(`${JSON.stringify(value)}\n`)
    },
    end: async () => void (await writer.end()),
  }
}

/** What was added to it, once that has ended. */
export async function* readDiskList<T>(path: string): AsyncGenerator<T> {
  const file = Bun.file(path)
  if (!(await file.exists())) return
  for await (const line of linesIn(file.stream())) yield JSON.parse(line)
}
