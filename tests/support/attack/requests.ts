import { z } from 'zod'
import type { Services } from '../../../src/server/context'
import { createApp } from '../../../src/site/app'
import { calls, rawRoutes } from '../../../src/site/router'
import { PNG } from '../files'
import { procedures } from '../world'
import { type Draw, hostile, type Input, inAddress, inputFor, type Known, TEXTS, write } from './values'

/** `call` is the procedure or path that is meant, for the count of what was answered. */
export type Sent = { call: string; method: string; path: string; body?: BodyInit; headers: Record<string, string> }
type Make = (draw: Draw, known: Known) => Omit<Sent, 'headers'> & { type?: string }

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

const schemas = new Map(Object.entries(procedures).map(([name, { _def }]) => [name, _def.inputs.map(jsonSchema)]))
export const procedureNames = [...schemas.keys()]
const reads = (name: string) => procedures[name]?._def.type === 'query'

const drawInput = (draw: Draw, call: string, known: Known) => inputFor(draw, schemas.get(call) ?? [], known)

const inPath = (draw: Draw, path: string, input: Input, known: Known) =>
  path.replace(/:(\w+)|\*/g, (_, name = 'rest') =>
    inAddress(
      draw,
      draw.below(15) === 0 ? hostile(draw) : (input[name] ?? draw.oneOf(known[`:${name}`] ?? known[name] ?? TEXTS)),
    ),
  )

const inQuery = (draw: Draw, input: Input) =>
  Object.entries(input)
    .map(([name, value]) => `${encodeURIComponent(name)}=${inAddress(draw, value)}`)
    .join('&')

const byTrpc: Make = (draw, known) => {
  const call = draw.oneOf(procedureNames)
  const text = write(drawInput(draw, call, known))
  const asRead = draw.below(20) === 0 ? !reads(call) : reads(call)
  return asRead
    ? { call, method: 'GET', path: `/trpc/${call}?input=${encodeURIComponent(text.slice(0, 4_000).toWellFormed())}` }
    : { call, method: 'POST', path: `/trpc/${call}`, body: text }
}

const byBatch: Make = (draw, known) => {
  const kind = draw.below(3) === 0
  const fit = procedureNames.filter((name) => reads(name) === kind && !/^(auth|account)\./.test(name))
  const names = Array.from({ length: 2 + draw.below(10) }, () => draw.oneOf(fit))
  const inputs = write(Object.fromEntries(names.map((name, at) => [at, drawInput(draw, name, known)])))
  const path = `/trpc/${names}?batch=${draw.oneOf(['1', '1', '1', '2'])}`
  return kind
    ? { call: 'batch', method: 'GET', path: `${path}&input=${encodeURIComponent(inputs.slice(0, 4_000).toWellFormed())}` }
    : { call: 'batch', method: 'POST', path, body: inputs }
}

const byRest: Make = (draw, known) => {
  const { method, path, procedure: call } = draw.oneOf(calls)
  const input = drawInput(draw, call, known)
  const address = inPath(draw, path, input, known)
  const inItsPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !inItsPath.includes(name)))
  if (method === 'GET') return { call, method, path: `${address}?${inQuery(draw, rest)}` }
  return { call, method, path: address, body: write(rest) }
}

/** What its handlers read by themselves. */
const one = z.string()
const parameters = jsonSchema(
  z.object({ token: one, from: one, remember: one, confirmed: one, code: one, state: one, error: one, returnUrl: one }).partial(),
)

const byRawRoute: Make = (draw, known) => {
  const { method, path, operationId, inputs, takesFile } = draw.oneOf(rawRoutes)
  const query = inQuery(draw, inputFor(draw, inputs?.map(jsonSchema) ?? [parameters], known))
  const request = { call: operationId, method, path: `${inPath(draw, path, {}, known)}?${query}` }
  if (method === 'GET') return request
  return takesFile ? { ...request, ...form(draw, takesFile) } : { ...request, body: write(hostile(draw)) }
}

const NAMES = [
  'dot.png',
  'a.txt',
  '日本語 "x".pdf',
  '../../x.txt',
  'a.svg',
  'a.html',
  '\u202egnp.txt',
  'x'.repeat(300),
  '',
  '%00.png',
  'a\\"b.png',
]
const CONTENTS = [
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '<script>alert(1)</script>',
  '%PDF-1.4',
  'GIF89a<script>',
  'PK\u0003\u0004',
  '',
  '\0\0\0\0',
  'plain',
]

/** A form, whole or broken, as some client might write it by hand. */
function form(draw: Draw, takesFile: string) {
  const [field, boundary, end] = [
    draw.oneOf([takesFile, takesFile, takesFile, 'other', '']),
    draw.oneOf(['b', 'b', '"', 'x'.repeat(80)]),
    draw.oneOf(['--', '--', '--', '', '\r\n']),
  ]
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${draw.oneOf(NAMES)}"\r\n\r\n`
  const content = draw.below(3) ? PNG : Buffer.from(draw.oneOf(CONTENTS))
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}${end}`)])
  const type = draw.oneOf([
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary=${boundary}`,
    'multipart/form-data',
    'text/plain',
  ])
  return { body, type }
}

// The paths are only listed: nothing asks anything of the parts.
const { app } = createApp({ config: {} } as Services, null)
const served = app.routes
const PAGES = [
  '/',
  '/login',
  '/board/*',
  '/assets/*',
  '/images/*',
  '/invite',
  '/robots.txt',
  '/sitemap.xml',
  '/subscribe/*',
  '/*',
  '//*',
]

const byPath: Make = (draw, known) => {
  const path = draw.oneOf([...served.map((route) => route.path), ...PAGES])
  return { call: path, method: draw.oneOf(['GET', 'GET', 'POST', 'DELETE']), path: inPath(draw, path, {}, known) }
}

const MAKERS = [...Array(8).fill(byTrpc), byBatch, ...Array(6).fill(byRest), byRawRoute, byRawRoute, byPath]

export function requestFor(draw: Draw, known: Known): Sent {
  const { type = 'application/json', ...made }: ReturnType<Make> = draw.oneOf<Make>(MAKERS)(draw, known)
  const sent: Sent = { ...made, headers: made.body === undefined ? {} : { 'content-type': type } }
  return draw.below(6) === 0 ? withOddities(draw, sent) : sent
}

const HEADERS: [string, string][] = [
  ['if-match', '"x"'],
  ['if-match', '*'],
  ['if-none-match', 'W/"%"'],
  ['idempotency-key', 'k'],
  ['idempotency-key', 'x'.repeat(300)],
  ['cookie', 'session=%; a=%zz; session='],
  ['cookie', `session=${'r'.repeat(4_000)}`],
  ['cookie', `oauth=${Buffer.from('{"state":null}').toString('base64url')}; theme=dark"><script>`],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['accept', 'text/html;q='],
  ['accept-encoding', 'gzip;q=0, br, *'],
  ['trpc-accept', 'application/jsonl'],
  ['accept', 'text/event-stream'],
  ['range', 'bytes=0-0,-1'],
  ['x-forwarded-for', 'unknown, , ::1%eth0'],
  ['x-http-method-override', 'DELETE'],
  ['user-agent', ''],
  ['user-agent', 'é'.repeat(3_000)],
  ['content-type', 'text/plain'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-encoding', 'gzip'],
  ['connection', 'upgrade'],
  ['stripe-signature', 't=1,v1=x'],
]
const METHODS = ['PUT', 'OPTIONS', 'PROPFIND', 'HEAD', 'PATCH', 'DELETE', 'POST']

function withOddities(draw: Draw, { body, ...sent }: Sent): Sent {
  const [name, value] = draw.oneOf(HEADERS)
  const method = draw.below(5) === 0 ? draw.oneOf(METHODS) : sent.method
  const headers = { ...sent.headers, [name]: value }
  if (method === 'GET' || method === 'HEAD' || body === undefined) return { ...sent, method, headers }
  const large = draw.below(40) === 0 ? `{"name":"${'x'.repeat(1_100_000)}"}` : body
  return { ...sent, method, headers, body: draw.below(3) === 0 ? inChunks(large) : large }
}

/** Sent without its length. */
const inChunks = (body: BodyInit) => new Response(body).body ?? body
