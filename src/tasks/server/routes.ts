import { z } from 'zod'
import { grantBoardReading } from '../../boards/server/grants'
import { createSemaphore } from '../../server/concurrency'
import { jsonChunks, streamText } from '../../server/jsonStream'
import { idIn, type ProtectedRequest, protectedRoute } from '../../server/routes'
import { snapshot, task } from '../schema'
import { listTasks } from './list/store'

export const tasksRoutes = [
  protectedRoute.get(
    '/api/boards/:boardId/snapshot',
    'boards.snapshot',
    'A board with its tasks, all of one version, cut to the beginning of their descriptions; with an ETag',
    snapshot,
    sendSnapshot,
  ),
  protectedRoute.get(
    '/api/boards/:boardId/tasks',
    'tasks.list',
    'The tasks of a board, in the order of the columns',
    z.array(task),
    sendTasks,
  ),
]

const grantOf = ({ services, viewer, params }: ProtectedRequest) => grantBoardReading(services.db, viewer, idIn(params.boardId))

/** A large list is read as slowly as it is taken. */
const acquireList = createSemaphore({ perUser: 8, total: 100 }, 'Too many lists at once.')

async function sendTasks(asked: ProtectedRequest): Promise<Response> {
  const { services, viewer, headers } = asked
  const grant = await grantOf(asked)
  const release = acquireList(viewer.id)
  headers.set('Content-Type', 'application/json')
  return new Response(await streamText(jsonChunks(listTasks(services.db, grant)), release), { headers })
}

async function sendSnapshot(asked: ProtectedRequest): Promise<Response> {
  const { services, headers, request } = asked
  const { etag, gzip } = await services.snapshots(services.db, await grantOf(asked))
  headers.set('ETag', etag)
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('Vary', 'Cookie, Accept-Encoding')
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', 'application/json')
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(unzipped(gzip), { headers })
  headers.set('Content-Encoding', 'gzip')
  return new Response(gzip, { headers })
}

/** As a stream: a large board unzipped at once would keep everyone else waiting. */
const unzipped = (gzip: Uint8Array<ArrayBuffer>) => new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'))
