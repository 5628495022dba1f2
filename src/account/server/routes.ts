import { z } from 'zod'
import { sendArchive } from '../../archive/server/routes'
import { addFiles, addTable, streamArchive } from '../../archive/server/writeArchive'
import type { Db } from '../../db/database'
import { createSemaphore } from '../../server/concurrency'
import type { Services } from '../../server/context'
import { jsonChunks, streamBody } from '../../server/responseBody'
import { type ProtectedRequest, protectedRoute } from '../../server/routes'
import type { SignedIn } from '../../server/signedIn'
import { exportSections, ownFiles, readProfile, type Section, whole } from './export.store'

export const accountRoutes = [
  protectedRoute.get(
    '/api/account/data',
    'account.data',
    'Your profile, boards, tasks, comments, files, time and activity, as a file',
    z.looseObject({ format: z.string(), exportedAt: z.iso.datetime() }),
    sendData,
    { refuses: [429] },
  ),
  protectedRoute.get(
    '/api/account/archive',
    'account.archive',
    'Your data with the files, as a ZIP archive; see docs/archive.md',
    null,
    sendOwnArchive,
    { refuses: [429] },
  ),
]

const acquireExport = createSemaphore({ perUser: 1, total: 30 }, 'Your data is already being downloaded.')

async function beginExport({ services, viewer }: ProtectedRequest): Promise<() => void> {
  const release = acquireExport(viewer.id)
  await services.limits.consume('exports', `user ${viewer.id}`).catch((error: unknown) => {
    release()
    throw error
  })
  return release
}

async function sendData(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers } = ctx
  const body = await streamBody(exportChunks(services.db, viewer), await beginExport(ctx))
  headers.set('Content-Disposition', `attachment; filename="wrk-${viewer.username}.json"`)
  headers.set('Content-Type', 'application/json')
  return new Response(body, { headers })
}

async function sendOwnArchive(ctx: ProtectedRequest): Promise<Response> {
  const onEnd = await beginExport(ctx)
  return sendArchive(ctx, { name: `wrk-${ctx.viewer.username}.zip`, chunks: accountArchive(ctx.services, ctx.viewer), onEnd })
}

type Row = object & { id?: number }

/** The document's lists as tables, with the user's files. A failure cuts it off. */
const accountArchive = ({ db, files }: Pick<Services, 'db' | 'files'>, viewer: SignedIn): AsyncGenerator<Uint8Array> =>
  streamArchive(async (zip) => {
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

/** Adds the name of the row's file under `files/`. */
async function* linesOf(pages: AsyncIterable<Row[]>, files: Map<number | undefined, string>): AsyncGenerator<string> {
  const withFile = (row: Row) => (files.size > 0 ? { ...row, file: files.get(row.id) ?? null } : row)
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(withFile(row))}\n`).join('')
}

/** One JSON document, streamed. A failure cuts it off. */
async function* exportChunks(db: Db, viewer: SignedIn): AsyncGenerator<string> {
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
