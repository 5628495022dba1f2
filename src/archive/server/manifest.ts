import { z } from 'zod'

export const MANIFEST = 'manifest.json'
export const LIST = 'files.ndjson'
export const FORMAT = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.number().int().nonnegative()
const digest = z.object({ bytes: size, sha256 })
export type Digest = z.infer<typeof digest>

const tableName = z.string().regex(/^[a-z][a-z_]*$/)
/** As the file store names them; what ends in `.part` it is still writing. */
export const FILE_NAME = /^(?!.*\.part$)\w[\w.-]{0,199}$/

export const listed = z
  .object({ name: z.string().regex(FILE_NAME), bytes: size, sha256 })
  .or(z.object({ name: z.string().regex(FILE_NAME), missing: z.literal(true) }))
export type Listed = z.infer<typeof listed>

/** What an archive is of; one without a word about it is of an installation. */
export const KINDS = { installation: 'an installation', board: 'a board', account: 'somebody’s own data' }
export type Kind = keyof typeof KINDS

const head = { format: z.literal(FORMAT), wrk: z.string(), createdAt: z.iso.datetime() }
const table = digest.extend({ name: tableName, rows: size })
export type WrittenTable = z.infer<typeof table>
const files = digest.extend({ count: size, missing: size, total: size })
export type WrittenFiles = z.infer<typeof files>

export const manifest = z.object({
  ...head,
  /** The moment that names the last migration of the schema. */
  migration: z.number().int(),
  tables: z.array(table.extend({ lastId: size.nullable() })),
  files,
})
export type Manifest = z.infer<typeof manifest>

export const boardManifest = z.object({ ...head, kind: z.literal('board'), tables: z.array(table), files })
export type BoardManifest = z.infer<typeof boardManifest>

export const tableEntry = (name: string) => `tables/${name}.ndjson`
export const fileEntry = (name: string) => `files/${name}`
