import type { Elysia } from 'elysia'
import { z } from 'zod'
import { attachment } from '../attachments/schema'
import { serveFile } from '../attachments/server/download'
import { upload } from '../attachments/server/upload'
import { linkPurpose } from '../auth/schema'
import { hearStripe } from '../billing/server/webhook'
import { endMails } from '../notifications/server/unsubscribe'
import { success } from '../schema'
import { contextOf } from '../server/context'
import { Refusal, refusalResponse } from '../server/errors'
import type { Parts } from '../server/trpc'
import { snapshot, task } from '../tasks/schema'
import { sendCsv } from '../time/export/server/csv'
import { exportOptions } from '../time/report/schema'
import { avatarUrl, ownUser } from '../users/schema'
import { serveAvatar } from '../users/server/avatarDownload'
import { uploadAvatar } from '../users/server/avatarUpload'
import { type Asked, devLogin, idIn, sendData, sendSnapshot, sendTasks, verify } from './answers'

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
    method: 'POST',
    path: '/api/upload/avatar',
    operationId: 'users.uploadAvatar',
    does: "Make a picture one's avatar: JPEG, PNG, WebP or GIF, 5 MB at most",
    answers: avatarUrl,
    status: 201,
    needsSession: true,
    takesFile: 'avatar',
    answer: ({ context, request }) => uploadAvatar(context, request),
  },
  {
    method: 'GET',
    path: '/uploads/avatars/:name',
    operationId: 'users.avatar',
    does: "A person's avatar, as their avatar names it",
    answers: null,
    status: 200,
    needsSession: true,
    answer: ({ context, params }) => serveAvatar(context, params.name ?? ''),
  },
  {
    method: 'GET',
    path: '/api/boards/:boardId/time.csv',
    operationId: 'time.csv',
    does: 'The time entries of a board that match, as CSV, those that run left out; format=invoice: billable ones, with rates and amounts',
    answers: null,
    status: 200,
    needsSession: true,
    inputs: [exportOptions],
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
    method: 'POST',
    path: '/api/stripe/webhook',
    operationId: 'billing.webhook',
    does: 'Hear from Stripe, by its signature, that something became of a subscription',
    answers: success,
    status: 200,
    needsSession: false,
    answer: hearStripe,
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
const oauth = () => import('../auth/server/oauth')

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
