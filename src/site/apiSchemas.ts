import { z } from 'zod'
import type { RefusalBody } from '../protocol'
import type { DescribedCall } from '../server/rest'
import { shapes } from './router'

export type Schema = Record<string, unknown>

const refusalFields = {
  message: z.string(),
  code: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requiresUpgrade: z.literal(true).optional(),
  needsConfirmation: z.literal(true).optional().meta({ description: 'The link signs in only with confirmed=1' }),
  username: z.string().optional().meta({ description: 'The account that the link would sign in to' }),
  hasPassword: z.literal(true).optional().meta({ description: 'Send keepPassword to say whether the password stays' }),
  retryAfter: z.number().optional().meta({ description: 'Seconds' }),
  current: z.looseObject({}).optional().meta({ description: 'The current state, if If-Match names another' }),
  requestId: z.string().optional().meta({ description: "Identifies a fault in the server's log" }),
} satisfies Record<keyof RefusalBody, z.ZodType>

const SHAPES = { Refusal: z.object(refusalFields), ...shapes }

const SCHEMAS_PATH = '#/components/schemas/'
const refusalRef: Schema = { $ref: `${SCHEMAS_PATH}Refusal` }

export type Content = Record<string, { schema: Schema }>
export const json = (schema: Schema): Content => ({ 'application/json': { schema } })

export const isId = (name: string) => name.endsWith('Id')

/** A shape used within another answer is referenced by name, so it needs one. */
function assertNamed(described: Record<string, Schema>) {
  const used = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
  const unnamed = used.find((name) => !(name in SHAPES))
  if (unnamed) throw new Error(`the answer of ${unnamed} is part of another one: name it in the shapes of its domain`)
}

/** The named shapes, and each answer by its operation. */
export function describeAnswers(answers: Record<string, z.ZodType>) {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries({ ...answers, ...SHAPES })) registry.add(shape, { id })
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, io: 'output', uri: (id) => `${SCHEMAS_PATH}${id}` })
  const described = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]))
  assertNamed(described)
  const nameOf = (shape: z.ZodType) => registry.get(shape)?.id ?? ''
  return {
    shapes: Object.fromEntries(Object.keys(SHAPES).map((name) => [name, described[name]])),
    answerOf: (shape: z.ZodType): Schema =>
      nameOf(shape) in SHAPES ? { $ref: `${SCHEMAS_PATH}${nameOf(shape)}` } : (described[nameOf(shape)] ?? {}),
  }
}

export const describeInput = (input: z.ZodType): Schema => bare(z.toJSONSchema(input, { ...OPTIONS, io: 'input' }))

const OPTIONS = {
  unrepresentable: 'any',
  override({ jsonSchema }: { jsonSchema: Schema }) {
    // Answers may gain fields.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    // `format` says the same in fewer characters.
    if (jsonSchema.format) delete jsonSchema.pattern
  },
} as const

const bare = ({ $schema: _, $id: __, ...schema }: Schema): Schema => schema

/** By status; `default` is whatever else is answered. */
const REFUSALS = {
  400: { name: 'BadRequest', description: 'The input is invalid; issues name the fields' },
  401: { name: 'Unauthorized', description: 'No session, or wrong credentials' },
  402: { name: 'PaymentRequired', description: 'The payment was declined' },
  403: { name: 'Forbidden', description: 'Not allowed, or sent from another site’s page' },
  404: { name: 'NotFound', description: 'Not found, or not visible to the viewer' },
  409: { name: 'Conflict', description: 'Conflicts with what is stored, or with a simultaneous change' },
  412: {
    name: 'PreconditionFailed',
    description: 'If-Match does not name the current state, or the feature is not set up on this server',
  },
  413: { name: 'TooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is of a type that is not accepted' },
  422: { name: 'KeyUsed', description: 'The Idempotency-Key was used for another request' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests',
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
  },
  default: { name: 'Fault', description: 'Any other error; server errors include a requestId' },
}

export const refusals = Object.fromEntries(
  Object.values(REFUSALS).map(({ name, ...refusal }) => [name, { ...refusal, content: json(refusalRef) }]),
)

/** A call's refusals by status: those that follow from its input, and those its line declares. */
export function refusalsOf(call: DescribedCall, inPath: string[], inputNames: string[], hasBody: boolean) {
  const { method, needsSession, isCounted, matches, refuses } = call
  const changes = method !== 'GET'
  const isKeyed = changes && needsSession
  const takesInput = hasBody || inputNames.length > 0 || inPath.some(isId)
  const derived: Record<string, boolean> = {
    400: takesInput || isKeyed,
    401: needsSession,
    403: changes,
    404: inPath.length > 0 || inputNames.some(isId),
    409: isKeyed,
    412: matches,
    413: hasBody,
    415: hasBody,
    422: isKeyed,
    429: isCounted,
    default: true,
  }
  return Object.fromEntries(
    Object.entries(REFUSALS)
      .filter(([status]) => derived[status] || refuses.includes(Number(status)))
      .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}
