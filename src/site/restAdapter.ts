import type { Elysia } from 'elysia'
import { readText } from '../server/body'
import { contextOf } from '../server/context'
import { Refusal, refusalResponse } from '../server/errors'
import type { Context, Parts } from '../server/trpc'
import { calls, type Procedure } from './rest'
import { createCaller } from './router'

type Incoming = { request: Request; params?: Record<string, string> }

/** Serves the table of rest.ts. Elysia's own parsing is off: bodies are read here, with a limit. */
export function mountRest(app: Elysia, parts: Parts): void {
  for (const { method, path, procedure, status } of calls) {
    app.route(
      method,
      path,
      async ({ request, params }: Incoming) => {
        let headers = new Headers()
        try {
          const body = method === 'GET' ? Object.fromEntries(new URL(request.url).searchParams) : await readJson(request)
          // After the body, which can be slow in coming: a session that ends meanwhile does nothing any more.
          const context = await contextOf(parts, request)
          headers = context.headers
          const answer = await run(context, procedure, { ...body, ...numbered(params) })
          return Response.json(answer, { status, headers })
        } catch (error) {
          return refusalResponse(error, headers)
        }
      },
      { config: {}, parse: 'none' },
    )
  }
}

/** A procedure by its name, with the same input, rights and errors as the page's own call of it. */
function run(context: Context, procedure: Procedure, input: unknown): Promise<unknown> {
  const [domain, name] = procedure.split('.')
  const callers = createCaller(context) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const called = callers[domain ?? '']?.[name ?? '']
  if (!called) throw new Error(`no procedure ${procedure}`)
  return called(input)
}

/** Ids as numbers; what is none stays text, which the procedure refuses. */
const numbered = (params: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      name.endsWith('Id') && /^\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  )

async function readJson(request: Request): Promise<object> {
  const text = await readText(request)
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('BAD_REQUEST', 'The body must be a JSON object')
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('BAD_REQUEST', 'The body is not valid JSON')
  }
}
