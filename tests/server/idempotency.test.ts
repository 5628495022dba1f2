import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { boardMembers, comments, idempotencyKeys, mails, tasks } from '../../src/db/tables'
import { conflict } from '../../src/server/errors'
import { repeatOrRun, storeAnswer } from '../../src/server/idempotency.store'
import { requireSignedIn } from '../../src/server/signedIn'
import { serve } from '../../src/site/serve'
import { type Answer, type Browser, browser } from '../support/browser'
import { onEachDatabase, scratchDatabase } from '../support/databases'
import { PASSWORD, peopleOf, withoutProof } from '../support/people'
import { startServer } from '../support/process'
import { PATIENCE, until } from '../support/until'

const withKey = (key: string) => ({ 'idempotency-key': key })
const anyKey = () => withKey(crypto.randomUUID())
const said = ({ status, text, headers }: Answer) => [status, text, headers.get('x-board-version'), headers.get('etag')]
const USED = { message: 'This Idempotency-Key was used for another request', code: 'UNPROCESSABLE_CONTENT' }
const made = z.object({ id: z.number() })
const session = { id: '', key: '', createdAt: new Date(), expiresAt: new Date(), remembered: true, mayResetUntil: null }

onEachDatabase('a change under a key', (server) => {
  test('happens once, is told once with its key, and is answered the same each time', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket(board)
    const key = anyKey()
    const create = () => ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' }, key)
    const first = await create()
    for (let n = 0; n < 3; n++) expect(said(await create())).toEqual(said(first))
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"'])
    const heard = await socket.heard()
    expect(heard).toMatchObject([{ type: 'new_task', payload: { by: ada.id, key: key['idempotency-key'] } }])
    expect(await server.db.$count(tasks)).toBe(1)
    await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Sow' })
    expect((await socket.next('new_task')).key).toBeUndefined()
  })

  test("happens once by the page's way, too, and its profile is told with the key", async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket(board)
    const key = anyKey()
    const rename = () => ada.http('POST', '/trpc/users.update', { name: 'Ada L.' }, key)
    const first = await rename()
    expect(said(await rename())).toEqual(said(first))
    expect(await socket.heard()).toMatchObject([{ type: 'user_profile_updated', payload: { key: key['idempotency-key'] } }])
  })

  test('is another one for somebody else, and no other request of the same person', async () => {
    const { ada, bob, board } = await server.people()
    const [path, key] = [`/api/boards/${board.id}/tasks`, anyKey()]
    expect((await ada.http('POST', path, { title: 'Dig' }, key)).status).toBe(201)
    expect((await bob.http('POST', path, { title: 'Sow' }, key)).body).toMatchObject({ title: 'Sow', createdBy: bob.id })
    const others: [string, string, object][] = [
      ['POST', path, { title: 'Other' }],
      ['POST', '/api/boards', { title: 'Dig' }],
      ['PATCH', `/api/boards/${board.id}`, { title: 'Dig' }],
      ['POST', '/trpc/tasks.create', { boardId: board.id, title: 'Dig' }],
    ]
    for (const [method, to, body] of others) {
      const { status, body: refusal } = await ada.http(method, to, body, key)
      expect([status, to.startsWith('/trpc') ? USED : refusal]).toEqual([422, USED])
    }
    expect(await server.db.$count(tasks)).toBe(2)
  })

  test('has a key of 1 to 255 printable characters, and no other change beside it', async () => {
    const { ada, board } = await server.people()
    const create = (key: string) => ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' }, withKey(key))
    for (const key of ['', 'x'.repeat(256), 'a\tb', 'é'])
      expect([key, (await create(key)).body]).toEqual([key, expect.objectContaining({ code: 'BAD_REQUEST' })])
    expect((await create('~'.repeat(255))).status).toBe(201)
    const batch = { 0: { boardId: board.id, title: 'Sow' }, 1: { boardId: board.id, title: 'Mow' } }
    expect((await ada.http('POST', '/trpc/tasks.create,tasks.create?batch=1', batch, anyKey())).status).toBe(400)
    expect(await server.db.$count(tasks)).toBe(1)
  })

  test('does nothing where nobody is signed in, whatever is in it, and neither does what it must match', async () => {
    const { board, nobody } = await server.people()
    for (const headers of [withKey(''), { 'if-match': '7' }, { 'if-match': '"7"' }]) {
      const rename = await nobody.http('PATCH', `/api/boards/${board.id}`, { name: 'Shed' }, headers)
      const login = await nobody.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD }, headers)
      expect([headers, rename.status, login.status]).toEqual([headers, 401, 200])
      await nobody.http('POST', '/api/auth/logout')
    }
  })

  test('that was refused may be tried again under it', async () => {
    const { ada, eve, board } = await server.people()
    const [path, key] = [`/api/boards/${board.id}/tasks`, anyKey()]
    expect((await eve.http('POST', path, { title: 'Dig' }, key)).status).toBe(404)
    await server.db.insert(boardMembers).values({ boardId: board.id, userId: eve.id })
    expect((await eve.http('POST', path, { title: 'Dig' }, key)).status).toBe(201)
    expect((await ada.http('POST', path, { title: 'Sow' }, key)).status).toBe(201)
  })

  test('is heard again as it was by whoever lost the right since, and by nobody who is signed out', async () => {
    const { ada, bob, board, task, nobody } = await server.peopleWithTask()
    const key = anyKey()
    const write = (who: Browser) => who.http('POST', `/api/tasks/${task.id}/comments`, { content: 'Why?' }, key)
    const first = await write(bob)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    await server.db.delete(comments)
    expect(said(await write(bob))).toEqual(said(first))
    expect((await write(nobody)).status).toBe(401)
    expect((await bob.http('GET', `/api/tasks/${task.id}`)).status).toBe(404)
  })

  test('is forgotten after a day, and with its account', async () => {
    const { ada, bob, board } = await server.people()
    const [path, key] = [`/api/boards/${board.id}/tasks`, anyKey()]
    const create = () => ada.http('POST', path, { title: 'Dig' }, key)
    const aged = (age: string) => server.db.update(idempotencyKeys).set({ createdAt: sql`now() - ${age}::interval` })
    const first = await create()
    await aged('23 hours 59 minutes')
    await server.clean()
    expect(said(await create())).toEqual(said(first))
    await aged('24 hours 1 minute')
    const second = await create()
    expect(made.parse(second.body).id).not.toBe(made.parse(first.body).id)
    expect(said(await create())).toEqual(said(second))
    await aged('24 hours 1 minute')
    await server.clean()
    expect(await server.db.$count(idempotencyKeys)).toBe(0)
    await bob.http('POST', path, { title: 'Sow' }, key)
    await bob.api.account.delete.mutate({ password: PASSWORD })
    expect(await server.db.$count(idempotencyKeys)).toBe(0)
  })

  test('leaves neither key, password nor cookie behind', async () => {
    const { ada } = await server.people()
    await server.db.execute(sql`update sessions set last_seen_at = now() - interval '1 hour'`)
    const body = { newPassword: 'correct donkey', currentPassword: PASSWORD }
    const key = anyKey()
    const change = () => ada.http('POST', '/api/auth/password', body, key)
    const first = await change()
    expect([first.status, first.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('session=')])
    expect(said(await change())).toEqual(said(first))
    const rows = await server.db.select().from(idempotencyKeys)
    expect(rows).toMatchObject([{ userId: ada.id, headers: {}, body: '{"success":true}' }])
    for (const secret of [
      key['idempotency-key'],
      'donkey',
      PASSWORD,
      new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('hex'),
    ])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('is answered as its twin was, which made what it was refused for', async () => {
    const { ada } = await server.people()
    const given = {
      idempotency: { key: 'one', request: 'this' },
      headers: new Headers(),
      services: { db: server.db },
    }
    const ctx = { ...given, viewer: requireSignedIn({ ...session, user: ada.user }).user }
    const answer = await repeatOrRun(ctx, async () => {
      await storeAnswer(server.db, ctx, { by: 'the twin' })
      throw conflict('It was done already.')
    })
    expect<unknown>(answer).toEqual({ by: 'the twin' })
    const other = { ...ctx, idempotency: { ...given.idempotency, key: 'two' } }
    await expect(repeatOrRun(other, () => Promise.reject(conflict('It was done already.')))).rejects.toThrow('done already')
  })

  test('sends one mail, however often it is asked for', async () => {
    const { ada } = await server.people()
    await withoutProof(server.db, ada)
    const key = anyKey()
    const ask = () => ada.http('POST', '/api/auth/confirm-email', undefined, key)
    const first = await ask()
    for (let n = 0; n < 6; n++) expect(said(await ask())).toEqual(said(first))
    expect([first.status, await server.db.$count(mails)]).toEqual([200, 1])
  })
})

const administration = process.env.TEST_DATABASE_URL

describe.skipIf(!administration)('a change under a key, on two processes', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  let servers: Awaited<ReturnType<typeof serve>>[] = []
  let people: Awaited<ReturnType<typeof peopleOf>>
  let both: Browser[]
  let direct: SQL
  beforeAll(async () => {
    scratch = await scratchDatabase()
    const config = readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', DATABASE_URL: scratch.url, TRUST_PROXY: '1' })
    const databases = [await openDatabase(config), await openDatabase(config)] as const
    servers = await Promise.all(databases.map((database) => serve(config, database, 'none')))
    const origins = servers.map(({ port }) => `http://127.0.0.1:${port}`)
    people = await peopleOf({ origin: origins[0] ?? '', db: databases[0].db })
    both = origins.map((origin) => browser(origin, people.ada.cookie()))
    direct = new SQL(scratch.url, { max: 2 })
  }, PATIENCE)
  afterAll(async () => {
    await direct.close()
    await Promise.all(servers.map((server) => server.stop()))
    await scratch.drop()
  })
  const rowsOf = async (table: string): Promise<number> =>
    Number((await direct.unsafe(`select count(*) as rows from ${table}`))[0].rows)

  /** Asked for on both at the same moment. */
  async function race(ask: (who: Browser, headers: Record<string, string>) => Promise<Answer>, times = 3) {
    const key = anyKey()
    const answers = await Promise.all(Array.from({ length: times }, () => both.map((who) => ask(who, key))).flat())
    for (const answer of answers) expect(said(answer)).toEqual(said(answers[0] ?? answer))
    expect(answers[0]?.status).toBeLessThan(300)
    return answers[0]
  }

  test('happens once, whichever of them are asked for it at the same moment', async () => {
    const { board } = people
    for (let round = 0; round < 25; round++) {
      const task = made.parse(
        (await race((who, key) => who.http('POST', `/api/boards/${board.id}/tasks`, { title: `Dig ${round}` }, key)))?.body,
      )
      await race((who, key) => who.http('POST', `/api/tasks/${task.id}/comments`, { content: 'Why?' }, key))
      await race((who, key) => who.http('PATCH', `/api/tasks/${task.id}`, { title: 'x' }, { ...key, 'if-match': '"1"' }))
      await race((who, key) => who.http('POST', '/api/time-entries', { taskId: task.id, status: 'ACTIVE' }, key))
      if (round % 2) await race((who, key) => who.http('DELETE', `/api/tasks/${task.id}`, undefined, key))
    }
    // Not the rows: deleted ones go for good on a busy machine, meanwhile.
    for (const table of ['tasks', 'comments', 'time_entries'])
      expect([table, Number((await direct.unsafe(`select last_value from ${table}_id_seq`))[0].last_value)]).toEqual([table, 25])
  })

  test('sets a password once, though the second call no longer knows the right one', async () => {
    const words = [PASSWORD, 'correct donkey', 'correct mule']
    for (const [n, newPassword] of words.entries()) {
      const currentPassword = words[n - 1]
      if (currentPassword)
        await race((who, key) => who.http('POST', '/api/auth/password', { newPassword, currentPassword }, key), 1)
    }
  })

  test('is 503 while the first one takes long, and its answer afterwards; nobody else waits', async () => {
    const { board, bob } = people
    const key = anyKey()
    const create = (who: Browser | undefined) => who?.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Slow' }, key)
    await direct.unsafe(`create function slow() returns trigger language plpgsql as
      $$ begin if new.title = 'Slow' then perform pg_sleep(2.8); end if; return new; end $$`)
    await direct.unsafe('create trigger slow before insert on tasks for each row execute function slow()')
    const first = create(both[0])
    await until(
      'the first one is at work',
      async () => (await direct`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length > 0,
    )
    const second = await create(both[1])
    expect([second?.status, second?.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await bob.http('GET', '/api/boards')).status).toBe(200)
    const [answer, later] = [await first, await create(both[1])]
    expect(answer?.status).toBe(201)
    expect(answer && later && said(later)).toEqual(answer && said(answer))
    expect(await rowsOf(`tasks where title = 'Slow'`)).toBe(1)
  })
})

describe.skipIf(!administration)('a change under a key whose process is killed', () => {
  test(
    'after the commit has begun happens once, and is answered by another process',
    async () => {
      const scratch = await scratchDatabase()
      const direct = new SQL(scratch.url, { max: 1 })
      const env = { DATABASE_URL: scratch.url, DATA_DIR: '/nowhere' }
      const [other, first] = await Promise.all([startServer(env), startServer(env)])
      const ada = browser(other.origin)
      await ada.http('POST', '/api/auth/dev-login-json')
      const board = made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)
      await direct.unsafe(
        'create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$',
      )
      await direct.unsafe(
        'create constraint trigger wait after insert on tasks deferrable initially deferred for each row execute function wait()',
      )
      const key = anyKey()
      const create = (who: Browser) => who.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' }, key)
      const lost = create(browser(first.origin, ada.cookie())).catch(() => 'lost')
      await until(
        'the commit is under way',
        async () =>
          (
            await direct.unsafe(
              "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'commit%'",
            )
          ).length > 0,
      )
      first.child.kill('SIGKILL')
      expect(await lost).toBe('lost')
      const answer = await create(ada)
      expect(answer.status).toBe(201)
      expect(said(await create(ada))).toEqual(said(answer))
      expect([...(await direct.unsafe('select id from tasks'))]).toEqual([{ id: made.parse(answer.body).id }])
      other.child.kill('SIGTERM')
      await other.child.exited
      await direct.close()
      await scratch.drop()
    },
    PATIENCE,
  )
})
