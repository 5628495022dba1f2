import { z } from 'zod'
import { version } from '../../package.json'
import { type Call, calls } from './rest'
import { appRouter } from './router'

type Schema = Record<string, unknown>

const refusal: Schema = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    issues: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    requiresUpgrade: { type: 'boolean' },
    retryAfter: { type: 'number', description: 'Seconds' },
  },
}

/** The REST calls as OpenAPI 3.1, made from the same table that serves them. */
export function describeCalls(origin: string) {
  const paths: Record<string, Schema> = {}
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'wrk', version, description: 'Every call uses the session cookie that signing in sets.' },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
      schemas: { Refusal: refusal },
    },
  }
}

function describe({ method, path, procedure, does, answers, status }: Call): Schema {
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const body = method === 'GET' ? null : bodyOf(procedure, inPath)
  return {
    operationId: procedure + (path.startsWith('/api/auth') || !procedure.startsWith('auth.') ? '' : '.alias'),
    summary: does,
    tags: [procedure.split('.')[0]],
    ...(inPath.length > 0 && { parameters: inPath.map(parameter) }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: { description: does, content: json(toSchema(answers, 'output')) },
      default: { description: 'A refusal', content: json({ $ref: '#/components/schemas/Refusal' }) },
    },
    security: [{ session: [] }],
  }
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

const parameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: name.endsWith('Id') ? { type: 'integer', minimum: 1 } : { type: 'string' },
})

/** What the body holds: the procedure's input without what the path gives. */
function bodyOf(procedure: string, inPath: string[]): Schema | null {
  const { inputs } =
    (appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>)[procedure]?._def ?? {}
  const schemas = (inputs ?? []).filter((input) => input instanceof z.ZodType).map((input) => toSchema(input, 'input'))
  const own = schemas.filter((schema) => !onlyHolds(schema, inPath))
  if (own.length === 0) return null
  return own.length === 1 ? (own[0] ?? null) : { allOf: own }
}

const onlyHolds = (schema: Schema, names: string[]) =>
  typeof schema.properties === 'object' && Object.keys(schema.properties ?? {}).every((name) => names.includes(name))

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** The description itself, or, to a person's browser, a page that shows it. */
export function docsPage(request: Request, origin: string): Response {
  const description = describeCalls(origin)
  if (!request.headers.get('accept')?.includes('text/html')) return Response.json(description)
  return new Response(docsHtml(), { headers: { 'Content-Type': 'text/html;charset=utf-8' } })
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)

function docsHtml(): string {
  const rows = calls.map((call) => {
    const inPath = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    const body = call.method === 'GET' ? null : bodyOf(call.procedure, inPath)
    return `<section><h2><b>${call.method}</b> <code>${escaped(call.path.replace(/:(\w+)/g, '{$1}'))}</code></h2>
<p>${escaped(call.does)}. Answers ${call.status}.</p>
${body ? `<details><summary>Body</summary><pre>${escaped(JSON.stringify(body, null, 2))}</pre></details>` : ''}
<details><summary>Answer</summary><pre>${escaped(JSON.stringify(toSchema(call.answers, 'output'), null, 2))}</pre></details></section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>wrk · REST calls</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root{color-scheme:light dark;--paper:light-dark(#f6f5f2,#141312);--text:light-dark(#1c1b19,#f1efea);--quiet:light-dark(#5f5b54,#a8a399);--line:light-dark(#e4e1da,#2e2c29)}
body{background:var(--paper);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}
section{border-top:1px solid var(--line);padding:.75rem 0}h2{font-size:15px;margin:0}p{margin:.25rem 0;color:var(--quiet)}
pre{overflow-x:auto;font-size:13px}a{color:inherit}</style></head><body>
<h1>wrk · REST calls</h1><p>Every call uses the session cookie that signing in sets. The same as
<a href="/api/docs/openapi.json">OpenAPI 3.1</a>.</p>${rows.join('\n')}</body></html>`
}
