import { z } from 'zod'
import { version } from '../../package.json'
import { id } from '../schema'
import type { RestCall } from '../server/rest'
import type { RawRoute } from '../server/routes'
import { calls } from './rest'
import { appRouter } from './router'
import { rawRoutes } from './routes'

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

type Operation = {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Schema[]
  requestBody?: { required: true; content: Content | FormContent }
  responses: Record<string, { description: string; content?: Content }>
  security: Schema[]
}

/** The calls as OpenAPI 3.1, made from the same tables that serve them. */
export function describeCalls(origin: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const call of [...calls.map(asDescribed), ...rawRoutes]) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'wrk', version, description: ABOUT },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
      schemas: { Refusal: refusal },
    },
  }
}

const ABOUT = 'Calls know who one is by the session cookie that signing in sets.'

type Described = Omit<RestCall, 'procedure' | 'response'> & Pick<RawRoute, 'response' | 'needsSession' | 'inputs' | 'takesFile'>

/** A line of the REST table with what its procedure says. */
function asDescribed({ procedure, ...call }: RestCall) {
  // The router's own types hide its list of procedures.
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { inputs: unknown[]; meta?: { needsSession: true } } }
  >
  const { inputs = [], meta } = procedures[procedure]?._def ?? {}
  return { ...call, needsSession: meta?.needsSession ?? false, inputs: inputs.filter((input) => input instanceof z.ZodType) }
}

function describe(call: Described): Operation {
  const { method, path, operationId, summary, response, status, needsSession, inputs = [], takesFile } = call
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const body = method === 'GET' ? null : bodyOf(inputs, inPath)
  const parameters = [
    ...inPath.map((name) => inPathParameter(name, inputs)),
    ...(method === 'GET' ? queryParameters(inputs, inPath) : []),
  ]
  return {
    operationId,
    summary,
    tags: operationId.split('.').slice(0, 1),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    ...(takesFile && { requestBody: { required: true, content: formWith(takesFile) } }),
    responses: {
      [status]: { description: summary, ...(response && { content: json(toSchema(response, 'output')) }) },
      default: { description: 'A refusal', content: json({ $ref: '#/components/schemas/Refusal' }) },
    },
    security: needsSession ? [{ session: [] }] : [],
  }
}

type Content = ReturnType<typeof json>
const json = (schema: Schema) => ({ 'application/json': { schema } })

type FormContent = ReturnType<typeof formWith>
const formWith = (field: string) => ({
  'multipart/form-data': {
    schema: { type: 'object', required: [field], properties: { [field]: { type: 'string', contentMediaType: '*/*' } } },
  },
})

const inPathParameter = (name: string, inputs: z.ZodType[]) => ({
  name,
  in: 'path',
  required: true,
  schema:
    inputs.map((input) => propertyOf(toSchema(input, 'input'), name)).find(Boolean) ??
    (name.endsWith('Id') ? idSchema : { type: 'string' }),
})

/** What a call that only reads takes besides its path. */
const queryParameters = (inputs: z.ZodType[], inPath: string[]) =>
  inputs
    .flatMap((input) => Object.entries(toSchema(input, 'input').properties ?? {}))
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => ({ name, in: 'query', required: false, schema }))

const idSchema = toSchema(id, 'input')
const propertyOf = ({ properties }: Schema, name: string): unknown =>
  Object.entries(properties ?? {}).find(([key]) => key === name)?.[1]

/** What the body holds: the procedure's input without what the path gives. */
function bodyOf(inputs: z.ZodType[], inPath: string[]): Schema | null {
  const own = inputs.map((input) => toSchema(input, 'input')).filter((schema) => !onlyHolds(schema, inPath))
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
  return new Response(docsHtml(description), {
    headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': DOCS_POLICY },
  })
}

const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#f6f5f2,#141312);--text:light-dark(#1c1b19,#f1efea);--quiet:light-dark(#5f5b54,#a8a399);--line:light-dark(#e4e1da,#2e2c29)}
body{background:var(--paper);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}
section{border-top:1px solid var(--line);padding:.75rem 0}h2{font-size:15px;margin:0}p{margin:.25rem 0;color:var(--quiet)}
pre{overflow-x:auto;font-size:13px}a{color:inherit}`

const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher('sha256').update(DOCS_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)

function docsHtml({ paths, info }: ReturnType<typeof describeCalls>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>wrk · REST calls</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${DOCS_STYLE}</style></head><body>
<h1>wrk · REST calls</h1><p>${escaped(info.description)} The same as
<a href="/api/docs/openapi.json">OpenAPI 3.1</a>.</p>${operations.join('\n')}</body></html>`
}

function section(method: string, path: string, { summary, requestBody, responses, security }: Operation): string {
  const [status = '', answer] = Object.entries(responses)[0] ?? []
  return `<section><h2><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code></h2>
<p>${escaped(summary)}. Answers ${status}${security.length > 0 ? '' : ', signed in or not'}.</p>
${details('Body', requestBody?.content)}${details('Answer', answer?.content)}</section>`
}

const details = (title: string, content: Content | FormContent | undefined) =>
  Object.values(content ?? {})
    .map(({ schema }) => `<details><summary>${title}</summary><pre>${escaped(JSON.stringify(schema, null, 2))}</pre></details>`)
    .join('')
