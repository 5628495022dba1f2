import { grantExportingBoard } from '../../boards/server/grants'
import { createSemaphore } from '../../server/concurrency'
import { unauthorized } from '../../server/errors'
import { contentDisposition, safeFileName } from '../../server/headers'
import { streamBody } from '../../server/responseBody'
import { idIn, type ProtectedRequest, protectedRoute } from '../../server/routes'
import { boardArchive } from './boardExport.store'

export const archiveRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/archive',
    'boards.archive',
    'A whole board as a file that can be imported, for its creator: tasks, people, comments, files, hours, rates, history',
    null,
    sendBoard,
    { refuses: [403, 429, 507] },
  ),
]

const acquireExport = createSemaphore({ perUser: 1, total: 10 }, 'A board is already being exported.')

async function sendBoard(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, params } = ctx
  const mayExport = () => grantExportingBoard(services.db, viewer, idIn(params.boardId))
  const grant = await mayExport()
  const onEnd = acquireExport(viewer.id)
  const name = `${safeFileName(grant.board.name)} - wrk.zip`
  await services.limits.consume('boardExports', `user ${viewer.id}`).catch((error: unknown) => {
    onEnd()
    throw error
  })
  return sendArchive(ctx, { name, chunks: boardArchive(services, grant), assertMay: mayExport, onEnd })
}

type Sending = { name: string; chunks: AsyncGenerator<Uint8Array>; assertMay?: () => Promise<unknown>; onEnd: () => void }

const CHECKED_EVERY_BYTES = 2 ** 20

/** A download that stops when its reader signs out or loses the right to it. */
export async function sendArchive(ctx: ProtectedRequest, { name, chunks, assertMay, onEnd }: Sending): Promise<Response> {
  const { services, session, headers } = ctx
  ctx.extendTimeout()
  const assertStill = async () => {
    if (!(await services.sessions.isLive(session))) throw unauthorized()
    await assertMay?.()
  }
  const body = await streamBody(whileMay(chunks, assertStill), onEnd)
  headers.set('Content-Type', 'application/zip')
  headers.set('Content-Disposition', contentDisposition('attachment', name))
  return new Response(body, { headers })
}

async function* whileMay(chunks: AsyncGenerator<Uint8Array>, assertStill: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let unchecked = 0
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= CHECKED_EVERY_BYTES) {
      await assertStill()
      unchecked = 0
    }
    yield chunk
  }
}
