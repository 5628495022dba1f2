import { z } from 'zod'
import { ArchiveFailed } from '../schema'
import { jsonIn } from './lines'
import { FORMAT, KINDS, type Kind, MANIFEST } from './manifest'
import type { Opened } from './unzip'

const MANIFEST_MAX_BYTES = 2 ** 20
const VERSION_SHOWN = 20

const claimed = z.object({ format: z.unknown(), wrk: z.unknown(), kind: z.unknown() }).partial()

/** What an archive says of itself. Throws ArchiveFailed where it is another kind, or newer than this wrk. */
export async function readHead<Shape extends z.ZodType>(zip: Opened, kind: Kind, shape: Shape): Promise<z.output<Shape>> {
  const { called } = zip
  if (zip.size(MANIFEST) > MANIFEST_MAX_BYTES) throw new ArchiveFailed(`${called} has a manifest that is too large to be one`)
  const said = jsonIn(Buffer.concat(await Array.fromAsync(zip.content(MANIFEST))).toString())
  const json = claimed.safeParse(said).data ?? {}
  if (typeof json.format === 'number' && json.format > FORMAT) throw newer(called, json.wrk)
  const { kind: is = 'installation' } = json
  if (is !== kind) throw new ArchiveFailed(`${called} is an archive of ${nameOf(is)}, not of ${KINDS[kind]}`)
  const parsed = shape.safeParse(said)
  if (!parsed.success) throw new ArchiveFailed(`${called} has a manifest that is none: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

const nameOf = (kind: unknown) => Object.entries(KINDS).find(([known]) => known === kind)?.[1] ?? 'something else'

export const newer = (called: string, version: unknown) =>
  new ArchiveFailed(
    `${called} was made by a newer version of wrk, ${JSON.stringify(String(version).slice(0, VERSION_SHOWN))}: use that one, or a later one`,
  )
