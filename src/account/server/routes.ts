import { z } from 'zod'
import { type ProtectedRequest, protectedRoute } from '../../server/routes'
import { exportData } from './export/store'

export const accountRoutes = [
  protectedRoute.get(
    '/api/account/data',
    'account.data',
    "One's profile, boards, tasks, comments, files, time and activity, as a file",
    z.looseObject({ format: z.string(), exportedAt: z.iso.datetime() }),
    sendData,
  ),
]

async function sendData({ services, viewer, headers }: ProtectedRequest): Promise<Response> {
  const data = await exportData(services.db, viewer)
  headers.set('Content-Disposition', `attachment; filename="wrk-${viewer.username}.json"`)
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(data, null, 2), { headers })
}
