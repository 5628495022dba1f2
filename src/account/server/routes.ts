import { z } from 'zod'
import { createSemaphore } from '../../server/concurrency'
import { streamText } from '../../server/jsonStream'
import { type ProtectedRequest, protectedRoute } from '../../server/routes'
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
]

const acquireExport = createSemaphore({ perUser: 1, total: 30 }, 'Your data is being downloaded already.')

async function sendData({ services, viewer, headers }: ProtectedRequest): Promise<Response> {
  const release = acquireExport(viewer.id)
  await services.limits.consume('exports', `user ${viewer.id}`).catch((error: unknown) => {
    release()
    throw error
  })
  const body = await streamText(exportChunks(services.db, viewer), release)
  headers.set('Content-Disposition', `attachment; filename="wrk-${viewer.username}.json"`)
  headers.set('Content-Type', 'application/json')
  return new Response(body, { headers })
}
