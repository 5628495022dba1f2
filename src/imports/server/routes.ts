import { createSemaphore } from '../../server/concurrency'
import { unauthorized } from '../../server/errors'
import { isAnswered, repeatOrRun, withHash } from '../../server/idempotency.store'
import { type ProtectedRequest, parseInput, protectedRoute, queryOf } from '../../server/routes'
import { once } from '../../server/transaction'
import { boardImport, uploadQuery } from '../schema'
import { prepareFile } from './prepare'
import { addImport, assertFewOpen, type NewImport } from './store'
import { withBodyAsFile } from './tempFiles'

export const importsRoutes = [
  protectedRoute.post(
    '/api/imports',
    'imports.upload',
    'Upload a file to import, as the body: a wrk archive, JSON from Trello, Planka or WeKan, or a CSV',
    boardImport,
    upload,
    { status: 201, takesBytes: true, inputs: [uploadQuery], refuses: [409, 413, 429] },
  ),
]

const acquireUpload = createSemaphore({ perUser: 1, total: 20 }, 'Too many uploads at once.')

async function upload(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, request, headers } = ctx
  const { name } = parseInput(uploadQuery, queryOf(request))
  await services.limits.consume('imports', `user ${viewer.id}`)
  await services.fileQuota.assertRoomFor(1)
  if (!(await isAnswered(services.db, ctx))) {
    await assertFewOpen(services.db, viewer)
    await services.accountQuota.assertRoomFor(viewer.id, Number(request.headers.get('content-length') ?? 0))
  }
  const release = acquireUpload(viewer.id)
  try {
    ctx.extendTimeout()
    return await withBodyAsFile(services, request, async (path, sha256) => {
      if (!(await services.sessions.find(request))) throw unauthorized()
      const known = withHash(ctx, sha256)
      const add = (prepared: NewImport) => once(known, ({ db }) => addImport(db, viewer, prepared))
      const answer = await repeatOrRun(known, () => prepareFile(services, viewer, path, name, add))
      return Response.json(answer, { status: 201, headers })
    })
  } finally {
    release()
  }
}
