import { z } from 'zod'
import { license, version } from '../../package.json'
import { id, lazy } from '../schema'
import type { RestCall } from '../server/rest'
import type { RawRoute } from '../server/routes'
import { refusals, refusalsOf } from './apiRefusals'
import { type Content, describeAnswers, describeInput, isId, json, type Schema } from './apiSchemas'
import { calls, rawRoutes } from './rest'

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

/** The calls as OpenAPI 3.1, made from the same tables that serve them. */
export const describeCalls = lazy(() => {
  const described = [...calls.map(asDescribed), ...rawRoutes.map((call) => ({ ...call, isCounted: call.needsSession }))]
  const answers = describeAnswers(
    Object.fromEntries(described.flatMap(({ operationId, response }) => (response ? [[operationId, response]] : []))),
  )
  const paths: Record<string, Record<string, Operation>> = {}
  for (const call of described) {
    const path = pathOf(call.path)
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(call, path, answers.answerOf) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'wrk', version, description: ABOUT, license: { name: license, identifier: license } },
    // Relative to the description's own address.
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session', description: OVER_HTTPS } },
      schemas: answers.shapes,
      responses: refusals,
    },
  }
})

const OVER_HTTPS = 'Named `__Host-session` where the site has https.'
const ABOUT = 'Calls know who one is by the session cookie that signing in sets.'

type Described = Omit<RestCall, 'procedure' | 'meta' | 'inputs' | 'response' | 'refuses'> &
  Pick<RawRoute, 'response' | 'needsSession' | 'inputs' | 'takesFile' | 'mayTakeFile' | 'takesBytes' | 'refuses'> & {
    isCounted: boolean
    matches?: boolean
  }

function asDescribed({ meta, ...call }: RestCall): Described {
  const { needsSession = false, matches = false } = meta
  return { ...call, needsSession, matches, isCounted: true }
}

const PARAMETER = /:(\w+)/g
const blank = (path: string) => path.replace(PARAMETER, '{}')
const namesIn = (path: string) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name)

/** As OpenAPI writes it, where paths that differ only in names of parameters are one, whose parameter is called `id`. */
function pathOf(path: string): string {
  const alike = [...calls, ...rawRoutes].filter((call) => blank(call.path) === blank(path)).map((call) => namesIn(call.path))
  const names = namesIn(path).map((name, i) => (alike.every((other) => other[i] === name) ? name : 'id'))
  return path.replace(PARAMETER, () => `{${names.shift()}}`)
}

function describe(call: Described, described: string, answerOf: (response: z.ZodType) => Schema): Operation {
  const {
    method,
    path,
    operationId,
    summary,
    response,
    status,
    needsSession,
    inputs = [],
    takesFile,
    mayTakeFile,
    takesBytes = false,
    matches = false,
  } = call
  const isKeyed = method !== 'GET' && needsSession
  const inPath = namesIn(path)
  const hasQuery = method === 'GET' || takesBytes
  const file = takesFile ? formWith(takesFile, mayTakeFile) : takesBytes ? BYTES : undefined
  const body = file ?? (hasQuery ? null : bodyOf(inputs, inPath))
  const shown = [...described.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = [
    ...inPath.map((name, i) => inPathParameter(name, shown[i] ?? name, inputs)),
    ...(hasQuery ? queryParameters(inputs, inPath) : []),
    ...(isKeyed ? [inHeader('Idempotency-Key', KEY, { minLength: 1, maxLength: 255 })] : []),
    ...(matches ? [inHeader('If-Match', IF_MATCH)] : []),
  ]
  const refused = refusalsOf({ ...call, inPath, inputNames: inputs.flatMap(fieldsOf), hasBody: body !== null, isKeyed, matches })
  return {
    operationId,
    summary,
    tags: operationId.split('.').slice(0, 1),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [status]: {
        description: summary,
        ...(hasETag(response) && { headers: ETAG }),
        ...(response && { content: json(answerOf(response)) }),
      },
      ...refused,
    },
    security: needsSession ? [{ session: [] }] : [],
  }
}

const KEY = 'Names this change for 24 hours: sent again, it happens once and is answered the same'
const IF_MATCH = 'The change is made only if the ETag is still one of these'
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

/** What a call that only reads takes besides its path. */
const queryParameters = (inputs: z.ZodType[], inPath: string[]): Parameter[] =>
  inputs
    .flatMap((input) => Object.entries(propertiesOf(describeInput(input))))
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => ({ name, in: 'query', required: false, schema: asText(schema) }))

/** In an address a list is text with commas. */
function asText({ anyOf, ...schema }: Schema): Schema {
  if (!Array.isArray(anyOf)) return schema
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'array')
  return others.length > 0 ? { ...schema, anyOf: [only, ...others] } : { ...schema, ...only }
}

const fieldsOf = (input: z.ZodType) => Object.keys(propertiesOf(describeInput(input)))
const propertiesOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>

/** What the body holds: the procedure's input without what the path gives. */
function bodyOf(inputs: z.ZodType[], inPath: string[]) {
  const own = inputs.filter((input) => !onlyHolds(describeInput(input), inPath))
  const [first, ...others] = own.map(describeInput).map(withoutDefaultedKind)
  if (!first) return null
  // No body at all is taken as an empty one.
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
