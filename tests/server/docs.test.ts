import { expect, test } from 'bun:test'
import { describeCalls, docsPage, type Operation } from '../../src/site/openapi'
import { rawRoutes, calls as table } from '../../src/site/router'

const calls = [...table, ...rawRoutes]

const MEDIA = ['application/json', 'multipart/form-data', 'application/octet-stream']

const document = describeCalls(true)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], ...one }]) => ({ path, method, one: { ...one, parameters } })),
)
const responseOf = (one: Pick<Operation, 'responses'>, status: string) => ({
  $ref: '',
  content: undefined,
  ...one.responses[status],
})
/** What serves an operation; names of parameters may differ where two paths are one to OpenAPI. */
const named = (method: string, path: string) => `${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, '{}')}`
const answers = (id: string) =>
  Object.keys(operations.find(({ one }) => one.operationId === id)?.one.responses ?? {}).map((status) => Number(status) || status)

test('every call of the tables is described, and nothing else', () => {
  const described = operations.map(({ path, method }) => named(method, path))
  const served = calls.map(({ path, method }) => named(method, path))
  expect(described.toSorted()).toEqual(served.toSorted())
})

// That it is OpenAPI with names that are each there once, tests/api/lint.test.ts has a linter say.
test('the description names its version, its licence and its address', () => {
  // toMatchObject would write a matcher into the description, which other tests on the same worker read.
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document).toMatchObject({ info: { license: { identifier: 'AGPL-3.0-only' } }, servers: [{ url: '/' }] })
  for (const { one } of operations) {
    expect([one.summary, one.tags.length]).toEqual([expect.stringMatching(/./), 1])
    const media = [one.requestBody, ...Object.values(one.responses)].flatMap((has) =>
      Object.keys({ content: {}, ...has }.content ?? {}),
    )
    expect(MEDIA).toEqual(expect.arrayContaining(media))
    for (const parameter of one.parameters)
      if (parameter.in !== 'query') expect(parameter).toMatchObject({ required: parameter.in === 'path' })
  }
})

test('the parameters of a path are those that it names, and are no part of the body', () => {
  for (const { path, one } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    expect(one.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(named)
    const body = one.requestBody?.content['application/json']?.schema ?? {}
    for (const name of named) expect(JSON.stringify(body)).not.toContain(`"${name}"`)
  }
})

test('a parameter that a call refuses to go without says so', () => {
  const needed = operations.flatMap(({ path, one }) =>
    one.parameters.flatMap((parameter) => (parameter.in === 'query' && parameter.required ? `${path} ${parameter.name}` : [])),
  )
  expect(needed.toSorted()).toEqual(['/api/find text', '/api/imports name'])
})

test('each answer is described, and so is a refusal', () => {
  const { schemas, responses } = document.components
  expect(schemas).toMatchObject({ Task: {}, Board: {} })
  expect(schemas.Refusal).toMatchObject({ required: ['message', 'code'], properties: { retryAfter: {}, requestId: {} } })
  for (const { path, method, one } of operations) {
    const described = calls.find((call) => named(call.method, call.path) === named(method, path))
    const [status, ...refusals] = Object.keys(one.responses)
    expect(status).toBe(String(described?.status))
    expect(refusals.length).toBeGreaterThan(1)
    expect(refusals.at(-1)).toBe('default')
    const answer = responseOf(one, status ?? '')
    if (described?.response !== null) expect(Object.keys(answer.content?.['application/json']?.schema ?? {})).not.toBeEmpty()
    for (const refused of refusals) {
      const { $ref } = responseOf(one, refused)
      const refusal = responses[$ref.replace('#/components/responses/', '')]
      expect(refusal?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Refusal' })
    }
  }
})

test('a refusal is described where it occurs', () => {
  expect(answers('boards.list')).toEqual([200, 401, 429, 'default'])
  expect(answers('tasks.get')).toEqual([200, 400, 401, 404, 429, 'default'])
  expect(answers('tasks.update')).toEqual([200, 400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 'default'])
  expect(answers('tasks.delete')).toEqual([200, 400, 401, 403, 404, 409, 412, 422, 429, 'default'])
  expect(answers('time.create')).toContain(404)
  expect(answers('auth.login')).toEqual([200, 400, 401, 403, 413, 415, 429, 'default'])
  expect(answers('auth.register')).toContain(409)
  expect(answers('attachments.create')).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 'default'])
  expect(answers('billing.simulatePayment')).toContain(402)
})

test('a shape that several calls answer has one name', () => {
  for (const id of ['tasks.create', 'tasks.update', 'tasks.restore', 'tasks.assign']) {
    const described = operations.find(({ one }) => one.operationId === id)?.one
    expect(Object.values(described?.responses ?? {})[0]).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Task' } } },
    })
  }
})

test('a body that a call needs is described with what it must hold', () => {
  const bodyOf = (path: string, method: string) =>
    operations.find((one) => one.path === path && one.method === method)?.one.requestBody?.content['application/json']?.schema
  expect(bodyOf('/api/auth/register', 'post')).toMatchObject({ required: ['username', 'email', 'password'] })
  expect(bodyOf('/api/boards/{boardId}/tasks', 'post')).toMatchObject({ required: ['title'] })
  expect(bodyOf('/api/tasks/{taskId}', 'patch')).toMatchObject({ properties: { title: {}, before: {}, after: {} } })
})

test('what can be asked for in the address of a list is described', () => {
  const parameters = operations.find(({ one }) => one.operationId === 'comments.list')?.one.parameters
  expect(parameters).toMatchObject([
    { name: 'taskId', in: 'path' },
    { name: 'limit', in: 'query' },
    { name: 'cursor', in: 'query' },
  ])
})

test('every change of somebody signed in takes a key, and what has an ETag says so', () => {
  const named = (id: string) =>
    operations
      .find(({ one }) => one.operationId === id)
      ?.one.parameters.flatMap(({ name, in: place }) => (place === 'header' ? name : []))
  const keyed = operations
    .filter(({ method, one }) => method !== 'get' && one.security.length > 0)
    .map(({ one }) => one.operationId)
  for (const id of keyed) expect([id, named(id)]).toEqual([id, expect.arrayContaining(['Idempotency-Key'])])
  expect(named('auth.login')).toEqual([])
  const matching = operations.map(({ one }) => one.operationId).filter((id) => named(id)?.includes('If-Match'))
  const domains = ['tasks', 'comments', 'time']
  const expected = ['time.unstop', ...domains.flatMap((domain) => [`${domain}.delete`, `${domain}.update`])]
  expect(matching.toSorted()).toEqual(expected.toSorted())
  for (const id of ['tasks.get', 'tasks.create', 'comments.update', 'time.create'])
    expect(Object.values(operations.find(({ one }) => one.operationId === id)?.one.responses ?? {})[0]).toHaveProperty(
      'headers.ETag',
    )
})

test('an upload is described as a form', () => {
  const upload = operations.find(({ path, method }) => path === '/api/attachments/{id}' && method === 'post')
  expect(upload?.one.requestBody?.content).toMatchObject({
    'multipart/form-data': { schema: { required: ['file'], properties: { thumbnail: { type: 'string' } } } },
  })
})

test('the session cookie is asked for where it is needed, and only there', () => {
  const open = operations.filter(({ one }) => one.security.length === 0).map(({ path, method }) => `${method} ${path}`)
  expect(open.toSorted()).toEqual([
    'get /api/auth/dev-login',
    'get /api/auth/oauth/{provider}',
    'get /api/auth/oauth/{provider}/callback',
    'get /api/auth/verify',
    'get /api/boards/{boardId}/info',
    'get /api/invitations/{token}',
    'post /api/auth/dev-login-json',
    'post /api/auth/forgot-password',
    'post /api/auth/login',
    'post /api/auth/logout',
    'post /api/auth/magic-link',
    'post /api/auth/register',
    'post /api/invitations/{token}/decline',
    'post /api/logout',
    'post /api/stripe/webhook',
    'post /unsubscribe',
  ])
})

test('a person sees every call on the page', async () => {
  const page = await docsPage(new Request('https://wrk.example.com/api/docs', { headers: { accept: 'text/html' } }), true)
  const html = await page.text()
  for (const { path, method, one } of operations) {
    expect(html).toContain(`<b>${method.toUpperCase()}</b> <code>${path}</code>`)
    expect(html).toContain(Bun.escapeHTML(one.summary))
  }
  for (const name of Object.keys((await describeCalls(true)).components.schemas)) expect(html).toContain(`<section id="${name}">`)
  expect(html).toContain('<a href="#Task">Task</a>')
})
