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

export const manifest = z.object({
  format: z.literal(FORMAT),
  wrk: z.string(),
  /** The moment that names the last migration of the schema. */
  migration: z.number().int(),
  createdAt: z.iso.datetime(),
  tables: z.array(digest.extend({ name: tableName, rows: size, lastId: size.nullable() })),
  files: digest.extend({ count: size, missing: size, total: size }),
})
export type Manifest = z.infer<typeof manifest>

export const tableEntry = (name: string) => `tables/${name}.ndjson`
export const fileEntry = (name: string) => `files/${name}`
