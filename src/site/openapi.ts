import { z } from 'zod'
import { license, version } from '../../package.json'
import { lazy } from '../lazy'
import { id } from '../schema'
import type { DescribedCall } from '../server/rest'
import { type Content, describeAnswers, describeInput, isId, json, refusals, refusalsOf, type Schema } from './apiSchemas'
import { calls, rawRoutes } from './router'

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; description?: string; schema: Schema }
export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { $ref: string } | { description: string; headers?: Record<string, object>; content?: Content }>
  security: Schema[]
}

/** The calls as OpenAPI 3.1, generated from the tables that serve them. */
export const describeCalls = (hasPlans: boolean) => (hasPlans ? withPlans() : withoutPlans())

const OF_PLANS = /^(billing\.|operator\.setPlan$)/
const all: DescribedCall[] = [...calls, ...rawRoutes]
const withPlans = lazy(() => describeAll(all))
const withoutPlans = lazy(() => describeAll(all.filter(({ operationId }) => !OF_PLANS.test(operationId))))

function describeAll(given: DescribedCall[]) {
  const answers = describeAnswers(
    Object.fromEntries(given.flatMap(({ operationId, response }) => (response ? [[operationId, response]] : []))),
  )
  const paths: Record<string, Record<string, Operation>> = {}
  for (const call of given) {
    const path = pathOf(call.path)
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call, path, answers.answerOf) }
  }
  const described = JSON.stringify([paths, answers.shapes, refusals])
  return {
    openapi: '3.1.0',
    info: { title: 'wrk', version, description: ABOUT, license: { name: license, identifier: license } },
    // Relative to the description's own address.
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session', description: OVER_HTTPS } },
      schemas: onlyReferenced(described, 'schemas', answers.shapes),
      responses: onlyReferenced(described, 'responses', refusals),
    },
  }
}

const onlyReferenced = <Part>(described: string, kind: string, parts: Record<string, Part>): Record<string, Part> =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => described.includes(`"#/components/${kind}/${name}"`)))

const OVER_HTTPS = 'Named `__Host-session` if the site uses https.'
const ABOUT = 'Calls are authenticated by the session cookie, which signing in sets.'

const PARAMETER = /:(\w+)/g
const blank = (path: string) => path.replace(PARAMETER, '{}')
const namesIn = (path: string) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name)

/** In OpenAPI's form, which merges paths that differ only in parameter names; the parameter is then called `id`. */
function pathOf(path: string): string {
  const alike = all.filter((call) => blank(call.path) === blank(path)).map((call) => namesIn(call.path))
  const names = namesIn(path).map((name, i) => (alike.every((other) => other[i] === name) ? name : 'id'))
  return path.replace(PARAMETER, () => `{${names.shift()}}`)
}

function describe(call: DescribedCall, described: string, answerOf: (response: z.ZodType) => Schema): Operation {
  const { method, path, operationId, summary, response, inputs, takesFile } = call
  const isKeyed = method !== 'GET' && call.needsSession
  const inPath = namesIn(path)
  const hasQuery = method === 'GET' || call.takesBytes
  const file = takesFile ? formWith(takesFile, call.mayTakeFile) : call.takesBytes ? BYTES : undefined
  const body = file ?? (hasQuery ? null : bodyOf(inputs, inPath))
  const shown = [...described.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = [
    ...inPath.map((name, i) => inPathParameter(name, shown[i] ?? name, inputs)),
    ...(hasQuery ? queryParameters(inputs, inPath) : []),
    ...(isKeyed ? [inHeader('Idempotency-Key', KEY, { minLength: 1, maxLength: 255 })] : []),
    ...(call.matches ? [inHeader('If-Match', IF_MATCH)] : []),
  ]
  return {
    operationId,
    summary,
    tags: operationId.split('.').slice(0, 1),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [call.status]: {
        description: summary,
        ...(hasETag(response) && { headers: ETAG }),
        ...(response && { content: json(answerOf(response)) }),
      },
      ...refusalsOf(call, inPath, inputs.flatMap(fieldsOf), body !== null),
    },
    security: call.needsSession ? [{ session: [] }] : [],
  }
}

const KEY = 'Printable ASCII. A change sent again with the same key within 24 hours is made only once and gets the same response'
const IF_MATCH = 'The change is made only if one of these is the current ETag'
const ETAG = { ETag: { description: 'The revision, in quotes', schema: { type: 'string' } } }

const inHeader = (name: string, description: string, limits: Schema = {}): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...limits },
})

const hasETag = (response: z.ZodType | null) => response instanceof z.ZodObject && 'revision' in response.shape

const inPathParameter = (name: string, shown: string, inputs: z.ZodType[]): Parameter => ({
  name: shown,
  in: 'path',
  required: true,
  ...(shown !== name && { description: `The ${name}` }),
  schema:
    inputs.map((input) => propertiesOf(describeInput(input))[name]).find(Boolean) ??
    (isId(name) ? describeInput(id) : { type: 'string' }),
})

/** A read's parameters besides those in its path. */
const queryParameters = (inputs: z.ZodType[], inPath: string[]): Parameter[] =>
  inputs
    .map(describeInput)
    .flatMap((input) => Object.entries(propertiesOf(input)).map(([name, schema]) => ({ name, schema, input })))
    .filter(({ name }) => !inPath.includes(name))
    .map(({ name, schema, input }) => ({ name, in: 'query', required: requires(input, name), schema: asText(schema) }))

const requires = ({ required }: Schema, name: string) => Array.isArray(required) && required.includes(name)

/** In a query string, a list is comma-separated text. */
function asText({ anyOf, ...schema }: Schema): Schema {
  if (!Array.isArray(anyOf)) return schema
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'array')
  return others.length > 0 ? { ...schema, anyOf: [only, ...others] } : { ...schema, ...only }
}

const fieldsOf = (input: z.ZodType) => Object.keys(propertiesOf(describeInput(input)))
const propertiesOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>

/** The body: the procedure's input without the path's parameters. */
function bodyOf(inputs: z.ZodType[], inPath: string[]) {
  const own = inputs.filter((input) => !onlyHolds(describeInput(input), inPath))
  const [first, ...others] = own.map(describeInput).map(withoutDefaultedKind)
  if (!first) return null
  // A missing body counts as an empty one.
  const required = !own.every((input) => input.safeParse({}).success)
  return { required, content: json(others.length > 0 ? { allOf: [first, ...others] } : first) }
}

/** A field with a default may be absent, so validators cannot tell kinds apart by it. */
const withoutDefaultedKind = ({ oneOf, ...schema }: Schema): Schema => (oneOf ? { ...schema, anyOf: oneOf } : schema)

const onlyHolds = ({ properties }: Schema, names: string[]) =>
  typeof properties === 'object' && Object.keys(properties ?? {}).every((name) => names.includes(name))

const FILE = { type: 'string', contentMediaType: '*/*' }

const BYTES = { required: true, content: { 'application/octet-stream': { schema: FILE } } }

const formWith = (field: string, optional?: string) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: [field], properties: { [field]: FILE, ...(optional && { [optional]: FILE }) } },
    },
  },
})

/** The description itself, or in a browser a page that shows it. */
export function docsPage(request: Request, hasPlans: boolean): Response {
  const description = describeCalls(hasPlans)
  if (!request.headers.get('accept')?.includes('text/html')) return Response.json(description)
  return new Response(docsHtml(description), {
    headers: { 'Content-Type': 'text/html;charset=utf-8', 'Content-Security-Policy': DOCS_POLICY },
  })
}

const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#f6f5f2,#141312);--text:light-dark(#1c1b19,#f1efea);--quiet:light-dark(#625e57,#a8a399);--line:light-dark(#e4e1da,#383531)}
body{background:var(--paper);color:var(--text);font:15px/1.5 ui-sans-serif,system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1.25rem}
section{border-top:1px solid var(--line);padding:.75rem 0}h2{font-size:15px;margin:0}p{margin:.25rem 0;color:var(--quiet)}
code{overflow-wrap:anywhere}pre{overflow-x:auto;font-size:13px}a{color:inherit}`

const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher('sha256').update(DOCS_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function docsHtml({ paths, info, components }: ReturnType<typeof describeCalls>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  )
  const shapes = Object.entries(components.schemas).map(([name, schema]) => shapeSection(name, schema))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>wrk · REST API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${DOCS_STYLE}</style></head><body>
<h1>wrk · REST API</h1><p>${Bun.escapeHTML(info.description)} Also available as
<a href="/api/docs/openapi.json">OpenAPI 3.1</a>.</p>${operations.join('\n')}
<h1>Schemas</h1>${shapes.join('\n')}</body></html>`
}

function section(method: string, path: string, { summary, parameters, requestBody, responses, security }: Operation): string {
  const statuses = Object.keys(responses).filter((status) => status !== 'default')
  const [status = '', ...refusals] = statuses
  const answer = responses[status]
  const asked = parameters?.filter((parameter) => parameter.in !== 'header') ?? []
  return `<section><h2><b>${method.toUpperCase()}</b> <code>${Bun.escapeHTML(path)}</code></h2>
<p>${Bun.escapeHTML(summary)}. Returns ${status}${security.length > 0 ? '' : '; no sign-in needed'}. Errors: ${refusals.join(', ')}.</p>
${asked.map(parameterLine).join('')}${details('Body', requestBody?.content)}${details('Response', answer && 'content' in answer ? answer.content : undefined)}</section>`
}

const parameterLine = ({ name, in: place, schema, description }: Parameter) =>
  `<p><code>${name}</code> (${place}) <code>${Bun.escapeHTML(JSON.stringify(schema))}</code> ${Bun.escapeHTML(description ?? '')}</p>`

const shapeSection = (name: string, schema: Schema | undefined) =>
  `<section id="${name}"><h2><code>${name}</code></h2><pre>${shown(schema)}</pre></section>`

const details = (title: string, content: Record<string, { schema: Schema }> | undefined) =>
  Object.values(content ?? {})
    .map(({ schema }) => `<details><summary>${title}</summary><pre>${shown(schema)}</pre></details>`)
    .join('')

/** A schema as JSON, with links from names to their shapes. */
const shown = (schema: Schema | undefined) =>
  Bun.escapeHTML(JSON.stringify(schema, null, 2)).replace(
    /\{\s*&quot;\$ref&quot;: &quot;#\/components\/schemas\/(\w+)&quot;\s*\}/g,
    '<a href="#$1">$1</a>',
  )
