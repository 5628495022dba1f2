import { id } from '../schema'
import { createPlaces } from '../server/concurrency'
import { badRequest, unauthorized } from '../server/errors'
import { grantReading } from '../server/grants'
import { jsonOf, streamOf } from '../server/jsonStream'
import { assertOwnHost, assertOwnOrigin } from '../server/origin'
import { countCall } from '../server/rateLimits'
import type { Context } from '../server/trpc'
import { listTasks } from '../tasks/server/store'
import { createCaller } from './router'

/** What a call of special.ts is asked. */
export type Asked = { context: Context; request: Request; params: Record<string, string> }

/** A row's id in an address. Throws BAD_REQUEST. */
export function idIn(given: string | undefined): number {
  const parsed = id.safeParse(/^\d+$/.test(given ?? '') ? Number(given) : given)
  if (!parsed.success) throw badRequest('Must be a whole number')
  return parsed.data
}

/** A board's tasks, in slices. */
export async function sendTasks({ context, params }: Asked): Promise<Response> {
  const grant = await boardRead(context, params)
  const leave = takePlace(grant.viewer.id)
  context.headers.set('Content-Type', 'application/json')
  return new Response(await streamOf(jsonOf(listTasks(context.parts.db, grant)), leave), { headers: context.headers })
}

/** A large one is read as slowly as it is taken. */
const takePlace = createPlaces({ each: 8, all: 100 }, 'Too many lists at once.')

async function boardRead({ session, parts }: Context, params: Asked['params']) {
  const boardId = idIn(params.boardId)
  if (!session) throw unauthorized()
  await countCall(parts, session)
  return grantReading(parts.db, session.user, boardId)
}

/** A board with its tasks, as it is kept. */
export async function sendSnapshot({ context, request, params }: Asked): Promise<Response> {
  const { headers, parts } = context
  const { etag, gzip } = await parts.snapshots(parts.db, await boardRead(context, params))
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

/** It signs someone in, so it counts as a change, which no other site may make a browser do (contract.md, section 2). */
export async function verify({ context, request }: Asked): Promise<Response> {
  assertOwnOrigin(request, context.parts)
  const { token = '', remember } = Object.fromEntries(new URL(request.url).searchParams)
  const answer = await createCaller(context).auth.verify({ token, remember: remember === '1' })
  return Response.json(answer, { headers: context.headers })
}

/** One's data, as a file. */
export async function sendData({ context }: Asked): Promise<Response> {
  const data = await createCaller(context).account.data()
  context.headers.set('Content-Disposition', `attachment; filename="wrk-${context.session?.user.username}.json"`)
  context.headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(data, null, 2), { headers: context.headers })
}

/** Signs the developer in and leads on. */
export async function devLogin({ context, request }: Asked): Promise<Response> {
  const { parts } = context
  assertOwnOrigin(request, parts)
  assertOwnHost(request, parts)
  await createCaller(context).auth.devLogin()
  context.headers.set('Location', ownPath(new URL(request.url).searchParams.get('returnUrl'), parts.origin()))
  return new Response(null, { status: 302, headers: context.headers })
}

/** A path of this site, or its front page: `//evil.example`, `/\evil.example` and `/.//evil.example` lead elsewhere. */
function ownPath(given: string | null, origin: string): string {
  if (!given?.startsWith('/') || !URL.canParse(given, origin)) return '/'
  const url = new URL(given, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}
