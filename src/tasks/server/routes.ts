import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { grantBoardReading } from '../../boards/server/grants'
import { VERSION_HEADER } from '../../protocol'
import { createSemaphore } from '../../server/concurrency'
import { isKnown } from '../../server/etag'
import { acceptsEncoding } from '../../server/headers'
import { jsonChunks, streamBody, wholeBody } from '../../server/responseBody'
import { idIn, type ProtectedRequest, protectedRoute } from '../../server/routes'
import { snapshot, task } from '../schema'
import { listTasks } from './boardTasks.store'
import { openSnapshot } from './snapshotCache'

export const tasksRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/snapshot',
    'boards.snapshot',
    'A board with its tasks, all of one version, with the beginning of each description and an ETag',
    snapshot,
    sendSnapshot,
  ),
  protectedRoute.get('/api/boards/:boardId/tasks', 'tasks.list', "A board's tasks, in column order", z.array(task), sendTasks),
]

const grantOf = ({ services, viewer, params }: ProtectedRequest) => grantBoardReading(services.db, viewer, idIn(params.boardId))

/** Limited, because a large list stays in memory while a slow client reads it. */
const acquireList = createSemaphore({ perUser: 8, total: 100 }, 'Too many task lists at once.')

async function sendTasks(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers } = ctx
  const grant = await grantOf(ctx)
  const release = acquireList(viewer.id)
  const tasks = listTasks(services.db, grant, () => grantOf(ctx))
  headers.set('Content-Type', 'application/json')
  return new Response(await streamBody(jsonChunks(tasks), release), { headers })
}

async function sendSnapshot(ctx: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers, request, params } = ctx
  const { snapshot } = await openSnapshot(services, viewer, idIn(params.boardId))
  const { version, etag, gzip } = snapshot
  headers.set('ETag', etag)
  headers.set(VERSION_HEADER, String(version))
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('Vary', 'Cookie, Accept-Encoding')
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', 'application/json')
  if (!acceptsEncoding(request, 'gzip')) return new Response(await streamBody(unzipped(gzip)), { headers })
  headers.set('Content-Encoding', 'gzip')
  return new Response(wholeBody(gzip), { headers })
}

/** Streamed, because many large boards at once would fill the memory. */
async function* unzipped(gzip: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* Readable.from([gzip]).pipe(createGunzip())
}
