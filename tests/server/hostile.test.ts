import { expect, test } from 'bun:test'
import { request } from 'node:http'
import { z } from 'zod'
import { attachments } from '../../src/db/tables'
import type { RestCall } from '../../src/server/rest'
import { calls } from '../../src/site/router'
import type { Answer } from '../support/browser'
import { onOneDatabase, type Server } from '../support/databases'
import { procedures } from '../support/world'

const DEEP = 100_000
const hostileIds = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '2147483648',
  '9007199254740993',
  '9'.repeat(400),
  'NaN',
  'word',
  "1'--",
  '%00',
  '%F0%9F%8C%B1',
  '%20',
]
const brokenPaths = ['%', '%zz', '%E0%A4%A', '%C0%AF', '%ED%A0%80']

/** Whole bodies that fit nothing. */
const hostileBodies: Record<string, string> = {
  'no JSON': '{"name": ',
  'a list': '[1, 2]',
  null: 'null',
  'a number': '7',
  text: '"text"',
  'deep lists': '['.repeat(DEEP) + ']'.repeat(DEEP),
  'keys that every object has':
    '{"__proto__": {"isPro": true}, "constructor": {"prototype": 1}, "toString": 1, "hasOwnProperty": 1}',
}
/** Values that are put into every field that any call knows. */
const hostileValues: Record<string, string> = {
  NUL: '"a\\u0000b"',
  'a lone high surrogate': '"abc\\ud800"',
  'a lone low surrogate': '"\\udc00abc"',
  SQL: `"'; drop table users; --"`,
  'a pattern': '"%_\\\\"',
  null: 'null',
  true: 'true',
  'a fraction': '1.5',
  'a number below': '-1',
  'a number beyond 32 bits': '2147483648',
  'a number beyond all': '1e999',
  'an object': '{"a": 1}',
  'a list': '[[]]',
  'lists in a list': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'a long text': `"${'x'.repeat(30_000)}"`,
  'an odd list': '["\\u0000"]',
}

/** The names of all that a procedure takes. */
const fieldsOf = (procedure: string) =>
  (procedures[procedure]?._def.inputs ?? []).flatMap((input) =>
    namesIn(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })),
  )

const namesIn = ({ properties, anyOf }: z.core.JSONSchema.BaseSchema): string[] => [
  ...Object.keys(properties ?? {}),
  ...(anyOf ?? []).flatMap((one) => (typeof one === 'object' ? namesIn(one) : [])),
]

async function attacked(server: Server) {
  const people = await server.peopleWithTask()
  const { task } = people
  const file = { filename: crypto.randomUUID(), originalFilename: 'a.txt', fileSize: 1, mimeType: 'text/plain', fileUrl: '/a' }
  const [attachment] = await server.db
    .insert(attachments)
    .values({ ...file, taskId: task.id, userId: people.ada.id })
    .returning()
  const ids: Record<string, string> = {
    attachmentId: String(attachment?.id),
    boardId: String(people.board.id),
    taskId: String(task.id),
    userId: String(people.bob.id),
    username: 'bob',
  }
  return { ...people, ids }
}

const fill = (path: string, ids: Record<string, string>) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
const bodied = (method: string) => method !== 'GET'

onOneDatabase(
  'hostile addresses',
  (server) => {
    // What is refused changes nothing, so several share one; not all, for nobody may call 600 times a minute.
    let shared: ReturnType<typeof attacked>
    let uses = 0
    const sometimesAnew = () => {
      if (uses % 10 === 0) shared = server.clear().then(() => attacked(server))
      uses += 1
      return shared
    }
    for (const call of calls) {
      const name = `${call.method} ${call.path}`

      test(`${name} refuses every invalid id`, async () => {
        const { ada, ids } = await sometimesAnew()
        for (const [, param = ''] of call.path.matchAll(/:(\w+Id)/g))
          for (const id of [...hostileIds, ...brokenPaths])
            expectRefusal(
              await ada.http(
                call.method,
                fill(call.path, { ...ids, [param]: id }),
                bodied(call.method) ? filler(call) : undefined,
              ),
              [400, 404],
            )
      })

      test(`${name} knows no other method`, async () => {
        const { ada, ids } = await sometimesAnew()
        const path = fill(call.path, ids)
        for (const method of ['PUT', 'OPTIONS', 'PROPFIND']) expectRefusal(await ada.http(method, path), [404, 405])
        expect((await ada.http('HEAD', path)).status).toBeLessThan(500)
      })
    }
  },
  {},
  { kept: true },
)

onOneDatabase('hostile input', (server) => {
  for (const call of calls.filter(({ method }) => bodied(method)))
    test(`${call.method} ${call.path} takes no body whatever for a fault of its own`, async () => {
      const { ada, ids } = await attacked(server)
      const path = fill(call.path, ids)
      for (const body of Object.values(hostileBodies)) expectNoFault(await ada.http(call.method, path, body))
      for (const field of fieldsOf(call.procedure)) {
        const answers = Object.values(hostileValues).map((value) => ada.http(call.method, path, withField(call, field, value)))
        for (const answer of await Promise.all(answers)) expectNoFault(answer)
      }
      expectNoFault(await ada.http(call.method, path, '{}', { 'content-type': 'text/plain' }))
      expectNoFault(await ada.http(call.method, path, '{}', { 'content-type': '' }))
      expectNoFault(await ada.http(call.method, path, '{}', { 'content-encoding': 'gzip' }))
    })

  test('a body cannot turn a call to another task or board', async () => {
    const { bob, task, board, ids } = await attacked(server)
    const own = await bob.api.boards.create.mutate({ name: 'Shed' })
    const other = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Saw' })
    await bob.http('PATCH', `/api/tasks/${ids.taskId}`, { taskId: other.id, title: 'Changed' })
    await bob.http('POST', `/api/boards/${own.id}/tasks`, { boardId: board.id, title: 'Plane' })
    expect((await bob.api.tasks.get.query({ taskId: other.id })).title).toBe('Saw')
    expect((await bob.api.tasks.get.query({ taskId: task.id })).title).toBe('Changed')
    expect((await bob.tasks(own.id)).map(({ title }) => title)).toEqual(['Saw', 'Plane'])
    expect((await bob.http('GET', `/api/boards/${own.id}?boardId=${board.id}`)).body).toMatchObject({ id: own.id })
  })

  test('what is too large is refused as that, whether or not its length is told', async () => {
    const { ada, board } = await attacked(server)
    const large = JSON.stringify({ name: 'x'.repeat(10 * 2 ** 20) })
    const told = await ada.http('PATCH', `/api/boards/${board.id}`, large)
    expect([told.status, told.body]).toEqual([413, { message: 'The request is too large', code: 'PAYLOAD_TOO_LARGE' }])
    const chunked = (method: string, path: string, body: string) => sendInChunks(server.origin, method, path, ada.cookie(), body)
    expect(await chunked('PATCH', `/api/boards/${board.id}`, large)).toBe(413)
    expect(await chunked('POST', '/trpc/boards.update', large)).toBe(413)
    expect(await chunked('PATCH', `/api/boards/${board.id}`, '{"name":"Park"}')).toBe(200)
    expect(await chunked('POST', '/trpc/boards.update', `{"boardId":${board.id},"name":"Pond"}`)).toBe(200)
  })

  test('more keys than any call takes are refused before they are parsed; in texts they are no keys', async () => {
    const { ada, nobody, board, ids } = await attacked(server)
    const keys = (count: number, end = '') => `{${Array.from({ length: count }, (_, at) => `"k${at}${end}":1`)}}`
    for (const many of [keys(1_001), keys(90_000), keys(1_001, '\\\\'), `{"a":[${keys(600)},${keys(600)}]}`]) {
      expectRefusal(await ada.http('PATCH', `/api/boards/${board.id}`, many), [413])
      expectRefusal(await nobody.http('POST', '/api/auth/logout', many), [413])
      expectRefusal(await nobody.http('POST', '/trpc/auth.login', many), [413])
    }
    const quoted = { description: '\\":"a":'.repeat(2_000) }
    expect((await ada.http('PATCH', `/api/tasks/${ids.taskId}`, quoted)).body).toMatchObject(quoted)
    expect((await ada.http('PATCH', `/api/boards/${board.id}`, `{"name":"Park",${keys(999).slice(1)}`)).status).toBe(200)
  })

  test('text that is not JSON by its type is refused as that', async () => {
    const { ada, board } = await attacked(server)
    const answer = await ada.http('PATCH', `/api/boards/${board.id}`, '{"name":"Park"}', { 'content-type': 'text/plain' })
    expectRefusal(answer, [415])
  })

  test('a password can hold anything, and a login name can be anything', async () => {
    const { nobody } = await attacked(server)
    for (const value of ["'; drop table users; --", '%_\\', 'abc\ud800def', '\0\0\0\0\0\0', '🌱🌱🌱'])
      for (const body of [
        { username: value, password: 'long enough' },
        { username: 'ada', password: value },
      ])
        expectRefusal(await nobody.http('POST', '/api/auth/login', body), [400, 401])
  })

  test('nesting a hundred thousand deep is no fault, closed or not', async () => {
    const { ada, board } = await attacked(server)
    for (const body of [
      `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
      '{"a":'.repeat(DEEP),
      `{"name":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
    ]) {
      expectNoFault(await ada.http('PATCH', `/api/boards/${board.id}`, body))
      expectNoFault(await ada.http('POST', '/trpc/boards.update', body))
    }
  })

  test('nobody becomes Pro, or another person, through the keys of a body', async () => {
    const { eve } = await attacked(server)
    await eve.http('POST', '/api/boards', '{"name":"Own","__proto__":{"isPro":true},"viewer":{"isPro":true},"createdBy":1}')
    expect((await eve.http('POST', '/api/boards', { name: 'Second' })).status).toBe(403)
  })

  test('unknown paths below /api are JSON, never a page', async () => {
    const { ada } = await attacked(server)
    for (const path of ['/api', '/api/', '/api/unknown', '/api/boards/1/unknown', '/api//boards', '/api/%', '/api/boards%2F1'])
      for (const method of ['GET', 'POST', 'DELETE']) expectRefusal(await ada.http(method, path), [404])
  })

  test('a method name that is none, and a path that is no path, are no fault', async () => {
    const { ada } = await attacked(server)
    for (const path of ['/%', '/%00', '/..%2f..%2fetc/passwd', '/assets/%2e%2e/%2e%2e/package.json', '/ws/%', '/health/%'])
      expect((await ada.http('GET', path)).status).toBeLessThan(500)
  })

  for (const [name, { _def }] of Object.entries(procedures))
    test(`the procedure ${name} takes no input whatever for a fault of its own`, async () => {
      const { ada } = await attacked(server)
      const ask = (input: string) =>
        _def.type === 'query'
          ? ada.http('GET', `/trpc/${name}?input=${encodeURIComponent(input.slice(0, 4000))}`)
          : ada.http('POST', `/trpc/${name}`, input)
      for (const body of Object.values(hostileBodies)) expectNoFault(await ask(body))
    })

  test('what is no call of a procedure is refused', async () => {
    const { ada } = await attacked(server)
    const names = [
      '',
      'unknown',
      'boards',
      'boards.unknown',
      '__proto__',
      'constructor',
      'boards.__proto__',
      'boards.get.call',
      '%',
      '%00',
      ',',
      ',,,,',
    ]
    for (const name of names)
      for (const query of [
        '',
        '?input={',
        '?input=%',
        '?batch=1',
        '?batch=1&input={}',
        '?batch=1&input=[[[',
        '?batch=2&input=null',
        '?connectionParams={',
      ])
        for (const method of ['GET', 'POST', 'PATCH']) expectNoFault(await ada.http(method, `/trpc/${name}${query}`))
    for (const query of ['?input={', '?input=%', '?batch=1&input={', '?batch=1&input=7', '?batch=1&input=null'])
      expectNoFault(await ada.http('GET', `/trpc/boards.get${query}`))
    for (const type of ['text/plain', 'multipart/form-data', 'multipart/form-data; boundary=x', 'application/octet-stream', ''])
      expectNoFault(await ada.http('POST', '/trpc/boards.create', 'name=x', { 'content-type': type }))
  })

  test('ten calls in one batch are answered, more are refused', async () => {
    const { ada } = await attacked(server)
    const batch = (count: number) => ada.http('GET', `/trpc/${Array(count).fill('auth.me').join()}?batch=1&input={}`)
    expect((await batch(10)).status).toBe(200)
    expect((await batch(11)).status).toBe(400)
    const thousand = await ada.http('POST', `/trpc/${Array(1000).fill('auth.logout').join()}?batch=1`, {})
    expect(thousand.status).toBe(400)
    expect((await ada.http('GET', '/api/auth/me')).status).toBe(200)
  })
})

/** As a program does that writes before it knows how much: the length is not announced. */
async function sendInChunks(origin: string, method: string, path: string, cookie: string, body: string) {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { cookie, 'content-type': 'application/json' }
  const sending = request(origin + path, { method, headers }, (answer) => resolve(answer.resume().statusCode))
  sending.on('error', reject)
  for (let at = 0; at < body.length; at += 2 ** 16) sending.write(body.slice(at, at + 2 ** 16))
  sending.end()
  return promise
}

/** A body that would do, but for what a test puts into it; its password is too short, so that nothing is hashed for long. */
const filler = ({ procedure }: RestCall) =>
  procedure === 'boards.delete' || procedure === 'tasks.delete'
    ? {}
    : { title: 'T', username: 'eve', password: '12345', userId: 1 }

const withField = (call: RestCall, field: string, value: string) => {
  const rest = Object.entries(filler(call)).filter(([name]) => name !== field)
  return `{${[...rest.map(([name, given]) => `"${name}": ${JSON.stringify(given)}`), `"${field}": ${value}`]}}`
}

function expectNoFault(answer: Answer) {
  if (answer.status >= 400) expectRefusal(answer, [400, 401, 403, 404, 405, 409, 413, 415, 429])
}

/** JSON with a message and a code, also where tRPC wraps it. */
function expectRefusal({ status, body, text }: Answer, statuses: number[]) {
  if (!statuses.includes(status)) throw new Error(`${status} instead of ${statuses}: ${text.slice(0, 300)}`)
  const wrapped = Array.isArray(body) ? body.find((one) => one.error) : body
  const refusal = wrapped && typeof wrapped === 'object' && 'error' in wrapped ? wrapped.error : wrapped
  const { message, code } = { ...Object(refusal), ...Object(Object(refusal).data) }
  expect([typeof message, typeof code]).toEqual(['string', 'string'])
  expect(text).not.toMatch(/at .*\.ts:\d+|node_modules|select .* from/)
}
