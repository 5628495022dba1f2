import type { Elysia } from 'elysia'
import { z } from 'zod'
import { attachment } from '../attachments/inputs'
import { serveFile } from '../attachments/serving'
import { upload } from '../attachments/upload'
import { linkPurpose } from '../auth/inputs'
import { snapshot } from '../boards/inputs'
import { id, success } from '../inputs'
import { endMails } from '../notifications/unsubscribe'
import { task } from '../tasks/inputs'
import { listTasks } from '../tasks/store'
import { sendCsv } from '../time/csv'
import { reportFilter } from '../time/inputs'
import { ownUser } from '../users/inputs'
import { contextOf } from './context'
import { badRequest, Refusal, refusalResponse, unauthorized } from './errors'
import { grantReading } from './grants'
import { countCall } from './limits'
import { assertOwnHost, assertOwnOrigin } from './origin'
import { createCaller } from './router'
import { jsonOf, streamOf } from './slices'
import type { Context, Parts } from './trpc'

type Asked = { context: Context; request: Request; params: Record<string, string> }

/** One such call, described as the table in rest.ts describes the others; null answers nothing that could be described. */
type SpecialCall = {
  method: 'GET' | 'POST'
  path: string
  operationId: string
  does: string
  answers: z.ZodType | null
  status: number
  needsSession: boolean
  /** The field of a form that holds the file it takes. */
  takesFile?: string
  /** What may stand in its address. */
  inputs?: z.ZodType[]
  answer(asked: Asked): Promise<Response>
}

/** The calls that are no line of the REST table: bytes, files, redirects, and a GET that changes something. */
export const specialCalls: SpecialCall[] = [
  {
    method: 'GET',
    path: '/api/boards/:boardId/snapshot',
    operationId: 'boards.snapshot',
    does: 'A board with its tasks, all of one version, cut to the beginning of their descriptions; with an ETag',
    answers: snapshot,
    status: 200,
    needsSession: true,
    answer: sendSnapshot,
  },
  {
    method: 'GET',
    path: '/api/boards/:boardId/tasks',
    operationId: 'tasks.list',
    does: 'The tasks of a board, in the order of the columns',
    answers: z.array(task),
    status: 200,
    needsSession: true,
    answer: sendTasks,
  },
  {
    method: 'POST',
    path: '/api/attachments/:taskId',
    operationId: 'attachments.create',
    does: 'Attach a file to a task: images, pdf, doc, docx, xls, xlsx, txt, 5 MB at most',
    answers: attachment,
    status: 201,
    needsSession: true,
    takesFile: 'file',
    answer: (asked) => upload(asked.context, asked.request, idIn(asked.params.taskId)),
  },
  {
    method: 'GET',
    path: '/uploads/:name',
    operationId: 'attachments.file',
    does: "An attached file, by an attachment's fileUrl",
    answers: null,
    status: 200,
    needsSession: true,
    answer: (asked) => serveFile(asked.context, asked.request, asked.params.name ?? ''),
  },
  {
    method: 'GET',
    path: '/api/boards/:boardId/time.csv',
    operationId: 'time.csv',
    does: 'The time entries of a board that match, as CSV; those that run are not in it',
    answers: null,
    status: 200,
    needsSession: true,
    inputs: [reportFilter],
    answer: (asked) => sendCsv(asked.context, idIn(asked.params.boardId), asked.request),
  },
  {
    method: 'GET',
    path: '/api/auth/verify',
    operationId: 'auth.verify',
    does: 'Sign in by the token of a link that was mailed; remember=1 outlives the browser',
    answers: z.object({ user: ownUser, purpose: linkPurpose }),
    status: 200,
    needsSession: false,
    answer: verify,
  },
  {
    method: 'POST',
    path: '/unsubscribe',
    operationId: 'notifications.unsubscribe',
    does: 'End the mails of one kind (from), or all, by the link in a mail (token); RFC 8058',
    answers: success,
    status: 200,
    needsSession: false,
    answer: endMails,
  },
  {
    method: 'GET',
    path: '/api/account/data',
    operationId: 'account.data',
    does: "One's profile, boards, tasks, comments, files, time and activity, as a file",
    answers: z.looseObject({ format: z.string(), exportedAt: z.iso.datetime() }),
    status: 200,
    needsSession: true,
    answer: sendData,
  },
  {
    method: 'GET',
    path: '/api/auth/oauth/:provider',
    operationId: 'auth.oauth',
    does: 'Go to a provider (google, github, oidc) to sign in, where this server is set up for it',
    answers: null,
    status: 302,
    needsSession: false,
    answer: async (asked) => (await oauth()).beginOAuth(asked.context, asked.params.provider ?? '', asked.request),
  },
  {
    method: 'GET',
    path: '/api/auth/oauth/:provider/callback',
    operationId: 'auth.oauthCallback',
    does: 'Come back from a provider, signed in, or to the login page',
    answers: null,
    status: 302,
    needsSession: false,
    answer: async (asked) => (await oauth()).finishOAuth(asked.context, asked.params.provider ?? '', asked.request),
  },
  {
    method: 'GET',
    path: '/api/auth/dev-login',
    operationId: 'auth.devLoginRedirect',
    does: 'Sign in as the developer, outside production, and go to returnUrl, a path of this site',
    answers: null,
    status: 302,
    needsSession: false,
    answer: devLogin,
  },
]

// Loaded where it is used: most servers are set up for no provider.
const oauth = () => import('../auth/oauth')

/** Serves the table above. */
export function mountSpecial(app: Elysia, parts: Parts): void {
  for (const { method, path, answer } of specialCalls)
    app.route(
      method,
      path,
      async ({ request, params }: { request: Request; params?: Record<string, string> }) => {
        const headers = new Headers()
        try {
          // Elysia answers HEAD by what is there for GET; nobody is signed in by that.
          if (request.method !== method && path.startsWith('/api/auth/'))
            throw new Refusal('METHOD_NOT_SUPPORTED', `Ask with ${method}`)
          return await answer({ context: await contextOf(parts, request, headers), request, params: params ?? {} })
        } catch (error) {
          return refusalResponse(error, headers)
        }
      },
      { config: {}, parse: 'none' },
    )
}

function idIn(given: string | undefined): number {
  const parsed = id.safeParse(/^\d+$/.test(given ?? '') ? Number(given) : given)
  if (!parsed.success) throw badRequest('Must be a whole number')
  return parsed.data
}

async function sendTasks({ context, params }: Asked): Promise<Response> {
  const grant = await boardRead(context, params)
  context.headers.set('Content-Type', 'application/json')
  return new Response(await streamOf(jsonOf(listTasks(context.parts.db, grant))), { headers: context.headers })
}

async function boardRead({ session, parts }: Context, params: Asked['params']) {
  const boardId = idIn(params.boardId)
  if (!session) throw unauthorized()
  await countCall(parts, session)
  return grantReading(parts.db, session.user, boardId)
}

async function sendSnapshot({ context, request, params }: Asked): Promise<Response> {
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
async function verify({ context, request }: Asked): Promise<Response> {
  assertOwnOrigin(request, context.parts)
  const { token = '', remember } = Object.fromEntries(new URL(request.url).searchParams)
  const answer = await createCaller(context).auth.verify({ token, remember: remember === '1' })
  return Response.json(answer, { headers: context.headers })
}

async function sendData({ context }: Asked): Promise<Response> {
  const data = await createCaller(context).account.data()
  context.headers.set('Content-Disposition', `attachment; filename="wrk-${context.session?.user.username}.json"`)
  context.headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(data, null, 2), { headers: context.headers })
}

async function devLogin({ context, request }: Asked): Promise<Response> {
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
