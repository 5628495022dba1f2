import type { Db } from '../../../db/database'
import { jsonChunks } from '../../../server/jsonStream'
import type { SignedIn } from '../../../server/signedIn'
import { exportSections, readProfile } from './store'

/** One JSON document, made as it is read; what fails leaves it without its end. */
export async function* exportChunks(db: Db, viewer: SignedIn): AsyncGenerator<string> {
  const head = {
    format: 'wrk account data, version 1',
    exportedAt: new Date().toISOString(),
    user: await readProfile(db, viewer),
  }
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, pages] of exportSections(db, viewer)) {
    yield `,\n${JSON.stringify(name)}:`
    yield* jsonChunks(pages)
  }
  yield '}\n'
}
