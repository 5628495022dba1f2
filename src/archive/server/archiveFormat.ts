import { z } from 'zod'
import { ArchiveFailed } from '../schema'

export const MANIFEST = 'manifest.json'
export const LIST = 'files.ndjson'
export const FORMAT = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.number().int().nonnegative()
const digest = z.object({ bytes: size, sha256 })
export type Digest = z.infer<typeof digest>

const tableName = z.string().regex(/^[a-z][a-z_]*$/)
/** Names in the file store; it is still writing those that end in `.part`. */
export const FILE_NAME = /^(?!.*\.part$)\w[\w.-]{0,199}$/

export const listedFile = z
  .object({ name: z.string().regex(FILE_NAME), bytes: size, sha256 })
  .or(z.object({ name: z.string().regex(FILE_NAME), missing: z.literal(true) }))
export type Listed = z.infer<typeof listedFile>

const head = { format: z.literal(FORMAT), wrk: z.string(), createdAt: z.iso.datetime() }
const table = digest.extend({ name: tableName, rows: size })
export type WrittenTable = z.infer<typeof table>
const files = digest.extend({ count: size, missing: size, total: size })
export type WrittenFiles = z.infer<typeof files>

export const installationManifest = z.object({
  ...head,
  /** The time that names the last migration. */
  migration: z.number().int(),
  tables: z.array(table.extend({ lastId: size.nullable() })),
  files,
})
export type Manifest = z.infer<typeof installationManifest>

export const boardManifest = z.object({ ...head, kind: z.literal('board'), tables: z.array(table), files })
export type BoardManifest = z.infer<typeof boardManifest>

export const tableEntry = (name: string) => `tables/${name}.ndjson`
export const fileEntry = (name: string) => `files/${name}`

const LONGEST_LINE = 8 * 2 ** 20

/** Lines without their ends. Throws ArchiveFailed if one is too long. */
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
    if (rest.length > longest) throw new ArchiveFailed('A line of the archive is too long.')
    yield* lines
  }
  if (rest !== '') yield rest
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
