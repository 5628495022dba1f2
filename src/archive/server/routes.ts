import { grantExportingBoard } from '../../boards/server/grants'
import { createSemaphore } from '../../server/concurrency'
import { safeFileName } from '../../server/headers'
import { idIn, type ProtectedRequest, protectedRoute } from '../../server/routes'
import { boardArchive } from './export/archive'
import { sendArchive } from './sent'

export const archiveRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/archive',
    'boards.archive',
    'All of a board as a file that can be imported again, for its creator: tasks, people, comments, files, hours, rates, history',
    null,
    sendBoard,
    { refuses: [403, 429, 507] },
  ),
]

const acquireExport = createSemaphore({ perUser: 1, total: 10 }, 'A board is being exported already.')

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
