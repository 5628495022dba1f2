import { addFiles, addTable, archived } from '../../../archive/server/written'
import type { Services } from '../../../server/context'
import type { SignedIn } from '../../../server/signedIn'
import { ownFiles } from './files/lookup'
import { type Section, whole } from './lookup'
import { exportSections, readProfile } from './store'

type Row = object & { id?: number }

/** What the document has, a table for each list, with one's files; what fails leaves it without its end. */
export const accountArchive = ({ db, files }: Pick<Services, 'db' | 'files'>, viewer: SignedIn): AsyncGenerator<Uint8Array> =>
  archived(async (zip) => {
    const profile = await readProfile(db, viewer)
    const own = await ownFiles(db, viewer, profile)
    const stored = new Map(own.map(({ file, stored }) => [file, stored]))
    const sections: Section[] = [['user', whole(Promise.resolve([profile]))], ...exportSections(db, viewer)]
    const tables = []
    for (const [name, pages] of sections) {
      const named = own.filter(({ table }) => table === name)
      tables.push(await addTable(zip, name, linesOf(pages, new Map(named.map(({ id, file }) => [id, file])))))
    }
    const get = async (name: string) => files.get(stored.get(name) ?? '')
    return { kind: 'account', tables, files: await addFiles(zip, stored.keys(), get) }
  })

/** `file` is what the archive has under `files/`. */
async function* linesOf(pages: AsyncIterable<Row[]>, files: Map<number | undefined, string>): AsyncGenerator<string> {
  const withFile = (row: Row) => (files.size > 0 ? { ...row, file: files.get(row.id) ?? null } : row)
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(withFile(row))}\n`).join('')
}
