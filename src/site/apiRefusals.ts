import { isId, json, refusalRef } from './apiSchemas'

/** By status; `default` is whatever else is answered. */
const REFUSALS = {
  400: { name: 'BadRequest', description: 'The input is invalid; issues name the fields' },
  401: { name: 'Unauthorized', description: 'No session, or wrong credentials' },
  402: { name: 'PaymentRequired', description: 'The payment was declined' },
  403: { name: 'Forbidden', description: 'Not allowed, or sent by the page of another site' },
  404: { name: 'NotFound', description: 'Not found, or not visible to the viewer' },
  409: { name: 'Conflict', description: 'Conflicts with what is stored, or with a change at the same time' },
  412: { name: 'PreconditionFailed', description: 'If-Match names something else than current, or not set up on this server' },
  413: { name: 'TooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is of a type that is not accepted' },
  422: { name: 'KeyUsed', description: 'The Idempotency-Key was used for another request' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests',
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
  },
  default: { name: 'Fault', description: 'Any other refusal; a fault of the server has a requestId' },
}

/** The refusals by name, for the description's components. */
export const refusals = Object.fromEntries(
  Object.values(REFUSALS).map(({ name, ...refusal }) => [name, { ...refusal, content: json(refusalRef) }]),
)

type Refusing = {
  method: string
  needsSession: boolean
  /** Whether it counts against the limit of calls. */
  isCounted: boolean
  inPath: string[]
  inputNames: string[]
  hasBody: boolean
  /** Whether it takes an Idempotency-Key, or an If-Match. */
  isKeyed: boolean
  matches: boolean
  /** Declared on its line. */
  refuses?: number[]
}

/** What a call refuses with, by status: as far as it follows from what it takes, and what its line declares. */
export function refusalsOf({
  method,
  needsSession,
  isCounted,
  inPath,
  inputNames,
  hasBody,
  isKeyed,
  matches,
  refuses = [],
}: Refusing) {
  const changes = method !== 'GET'
  const takesInput = hasBody || inputNames.length > 0 || inPath.some(isId)
  const derived: Record<string, boolean> = {
    400: takesInput || isKeyed,
    401: needsSession,
    403: changes,
    404: inPath.length > 0 || inputNames.some(isId),
    409: changes && needsSession,
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
