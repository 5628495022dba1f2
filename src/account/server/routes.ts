import { z } from 'zod'
import { sendArchive } from '../../archive/server/sent'
import { createSemaphore } from '../../server/concurrency'
import { streamBody } from '../../server/jsonStream'
import { type ProtectedRequest, protectedRoute } from '../../server/routes'
import { accountArchive } from './export/archive'
import { exportChunks } from './export/document'

export const accountRoutes = [
  protectedRoute.get(
    '/api/account/data',
    'account.data',
    "One's profile, boards, tasks, comments, files, time and activity, as a file",
    z.looseObject({ format: z.string(), exportedAt: z.iso.datetime() }),
    sendData,
    { refuses: [429] },
  ),
  protectedRoute.get(
    '/api/account/archive',
    'account.archive',
    'The same as an archive, with the files themselves: docs/archive.md',
    null,
    sendOwnArchive,
    { refuses: [429] },
  ),
]

const acquireExport = createSemaphore({ perUser: 1, total: 30 }, 'Your data is being downloaded already.')

/** Throws TOO_MANY_REQUESTS; answers what ends it. */
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
