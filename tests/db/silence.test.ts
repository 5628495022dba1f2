import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { readConfig } from '../../src/config'
import type { Database } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { serve } from '../../src/site/serve'
import type { Answer } from '../support/browser'
import { scratchDatabase } from '../support/databases'
import { formWith, PNG } from '../support/files'
import { lineTo } from '../support/line'
import { PASSWORD, peopleOf } from '../support/people'
import { dataFolder } from '../support/process'
import { handshake } from '../support/socket'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const ANSWERED_WITHIN = 5_000
const UNAVAILABLE = {
  message: 'The server cannot answer right now. Please try again in a few seconds.',
  code: 'SERVICE_UNAVAILABLE',
  retryAfter: 5,
}

describe.skipIf(!process.env.TEST_DATABASE_URL)('a Postgres server', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  let line: Awaited<ReturnType<typeof lineTo>>
  let folder: Awaited<ReturnType<typeof dataFolder>>
  let database: Database
  let server: Awaited<ReturnType<typeof serve>>
  let said: ReturnType<typeof spyOn<Console, 'error'>>[]
  beforeEach(async () => {
    scratch = await scratchDatabase()
    line = await lineTo(scratch.url)
    folder = await dataFolder()
    const way = { DATABASE_URL: line.url, DATABASE_POOL: '10', TRUST_PROXY: '1' }
    const config = readConfig({ PORT: '0', DATA_DIR: folder.path, ...way })
    database = await openDatabase(config)
    server = await serve(config, database, 'none')
    said = [spyOn(console, 'error'), spyOn(console, 'warn')]
  })
  afterEach(async () => {
    for (const one of said) one.mockRestore()
    line.mend()
    await server.stop()
    line.close()
    await scratch.drop()
    await folder.remove()
  })
  const people = async () => peopleOf({ origin: `http://127.0.0.1:${server.port}`, db: database.db })
  const lines = () => said.flatMap(({ mock }) => mock.calls.map(([first]) => String(first)))

  function expectRefused({ status, body, headers }: Answer) {
    expect([status, body, headers.get('retry-after')]).toEqual([503, UNAVAILABLE, '5'])
  }
  /** A socket is closed where its session cannot be looked up, which happens beside its first messages. */
  const nothingAsked = () => until('nothing is asked of it', () => database.pool?.().used === 0)
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const began = performance.now()
    const done = await work
    expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN)
    return done
  }

  test('that freezes has every call answered by a 503, says so once, and works again by itself', async () => {
    const { ada, bob, board, nobody } = await people()
    line.fail('silent')
    const calls = [
      ...Array.from({ length: 30 }, () => ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })),
      ...Array.from({ length: 30 }, () => bob.http('GET', `/api/boards/${board.id}/snapshot`)),
      ...Array.from({ length: 10 }, () =>
        nobody.http('POST', '/api/auth/login', { username: 'ada', password: 'wrong password' }),
      ),
    ]
    for (const answer of await inTime(Promise.all(calls))) expectRefused(answer)
    const batch = await inTime(bob.http('GET', '/trpc/auth.me,boards.list?batch=1&input=%7B%7D'))
    expect([batch.status, batch.headers.get('retry-after')]).toEqual([503, '5'])
    await server.gather().catch(() => {})
    expect(lines()).toEqual([expect.stringContaining('the database does not answer')])
    line.mend()
    await until('calls work again', async () => (await bob.http('GET', '/api/boards')).status === 200)
    expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).status).toBe(201)
    expect(lines().slice(1)).toEqual(['the database answers again'])
  })

  test('whose connections are forgotten on the way is asked over new ones', async () => {
    const { ada, bob, board } = await people()
    await Promise.all(Array.from({ length: 20 }, () => bob.http('GET', '/api/boards')))
    line.fail('forgotten')
    expect((await inTime(ada.http('GET', '/api/boards'))).status).toBe(200)
    const tasks = Array.from({ length: 10 }, () => ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' }))
    expect((await inTime(Promise.all(tasks))).map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(lines()).toEqual([])
  })

  test('that ended a connection is asked again what it had not done, and nothing else', async () => {
    const { ada, board } = await people()
    line.fail('stale')
    expect((await ada.http('GET', '/api/boards')).status).toBe(200)
    line.fail('stale')
    expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).status).toBe(201)
    let times = 0
    const work = (during: () => void) =>
      database.db.transaction(async (transaction) => {
        times += 1
        const both = [sql`create temp table kept as select 1`, sql`drop table kept`]
        await Promise.all(both.map((one) => transaction.execute(one)))
        during()
        await transaction.execute(sql`select 1`)
      })
    line.fail('stale')
    await work(() => {})
    expect(times).toBe(1)
    await expect(work(() => line.fail('stale'))).rejects.toThrow()
    expect(times).toBe(2)
    await work(() => {})
    const useAll = Array.from({ length: 10 }, () => database.db.execute(sql`select pg_sleep(0.05)`))
    await Promise.all(useAll)
    line.fail('stale')
    await expect(inTime(Promise.resolve(database.db.execute(sql`select 1`)))).rejects.toThrow()
  })

  for (const how of ['cut', { code: '53300' }, { code: '57P03' }] as const)
    test(`that ${how === 'cut' ? 'is stopped' : `answers ${how.code}`} has all kinds of calls answered by a 503`, async () => {
      const { ada, bob, board, nobody } = await people()
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      const socket = await bob.socket(board)
      await nothingAsked()
      line.fail(how)
      const email = 'ada@example.com'
      const reads = [
        'auth/me',
        'boards',
        `boards/${board.id}/snapshot`,
        `boards/${board.id}/tasks`,
        `boards/${board.id}/time.csv`,
      ]
      const calls = [
        ...[...reads, 'account/data', `tasks/${task.id}`].map((path) => ada.http('GET', `/api/${path}`)),
        ...['/uploads/x', '/uploads/avatars/x'].map((path) => ada.http('GET', path)),
        ada.http('PATCH', `/api/tasks/${task.id}`, { title: 'Dug' }),
        ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'x.png')),
        ada.http('POST', '/api/upload/avatar', formWith(PNG, 'x.png', 'avatar')),
        ada.http('POST', '/api/auth/password', { newPassword: 'correct donkey', currentPassword: PASSWORD }),
        ada.http('POST', '/api/get-or-create-subscription'),
        ada.http('POST', '/api/auth/logout'),
        ada.http('POST', `/trpc/tasks.update`, { taskId: task.id, title: 'Dug' }),
        nobody.http('POST', '/api/auth/register', { username: 'grace', email: 'grace@example.com', password: 'correct donkey' }),
        nobody.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD }),
        nobody.http('POST', '/api/auth/magic-link', { email }),
        nobody.http('GET', '/api/auth/verify?token=x'),
        nobody.http('GET', '/api/invitations/x'),
        nobody.http('POST', `/unsubscribe?token=${crypto.randomUUID()}&from=notifyTaskAssigned`),
      ]
      expect(await inTime(handshake(`http://127.0.0.1:${server.port}`, ada.cookie()))).toStartWith('HTTP/1.1 503')
      const answers = await inTime(Promise.all(calls))
      expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(answers.map(() => [503, '5']))
      socket.send('join_board', { boardId: board.id })
      expect((await socket.next('error')).code).toBe('SERVICE_UNAVAILABLE')
      line.mend()
      await until('calls work again', async () => (await bob.http('GET', '/api/boards')).status === 200)
      expect(lines().filter((said) => said.startsWith('fault'))).toEqual([])
    })

  test('that falls silent while a removal is committed leaves the removed member nothing to hear', async () => {
    const { ada, bob, board } = await people()
    const direct = new SQL(scratch.url, { max: 1 })
    await direct.unsafe(
      'create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return null; end $$',
    )
    await direct.unsafe(
      'create constraint trigger wait after delete on board_members deferrable initially deferred for each row execute function wait()',
    )
    const socket = await bob.socket(board)
    await direct.unsafe('select pg_advisory_lock(7)')
    const removal = ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)
    const isCommitting = () =>
      direct.unsafe(
        "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'commit%'",
      )
    await until('the commit begins', async () => (await isCommitting()).length > 0)
    line.fail('silent')
    await direct.unsafe('select pg_advisory_unlock(7)')
    expectRefused(await inTime(removal))
    await direct.close()
    line.mend()
    expect(await socket.next('error')).toEqual({ code: 'NOT_FOUND', message: 'Board not found', boardId: board.id })
    await until('calls work again', async () => (await ada.http('GET', '/api/boards')).status === 200)
    const others = await ada.socket(board)
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    await others.next('new_task')
    expect((await socket.heard()).map(({ type }) => type)).not.toContain('new_task')
  })

  test('that falls silent at a commit has it answered by a refusal, never as done', async () => {
    await people()
    const began = database.db.transaction(async (transaction) => {
      await transaction.execute(sql`select 1`)
      line.fail('silent')
      return 'done'
    })
    await expect(inTime(began)).rejects.toThrow()
  })

  test('that works on a long statement is left alone', async () => {
    await people()
    const began = performance.now()
    await database.db.execute(sql`select pg_sleep(6)`)
    expect(performance.now() - began).toBeGreaterThan(ANSWERED_WITHIN)
    expect(lines()).toEqual([])
  })

  test('on which another process holds a board has that board refused, and all others served', async () => {
    const { ada, bob, eve, board, member } = await people()
    const own = await eve.api.boards.create.mutate({ name: 'Own' })
    const crowd = [ada, bob, ...(await Promise.all(['carl', 'dora', 'erik', 'fay'].map(member)))]
    const held = await hold((transaction) => transaction`select 1 from boards where id = ${board.id} for update`)
    let isOver = false
    const stuck = crowd.flatMap((one) =>
      Array.from({ length: 3 }, async () => {
        const answers: Answer[] = []
        while (!isOver) answers.push(await inTime(one.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })))
        return answers
      }),
    )
    for (let n = 0; n < 30; n++) {
      expect((await inTime(eve.http('POST', `/api/boards/${own.id}/tasks`, { title: `Sow ${n}` }))).status).toBe(201)
      expect((await inTime(ada.http('GET', `/api/boards/${board.id}/snapshot`))).status).toBe(200)
    }
    isOver = true
    for (const answer of (await Promise.all(stuck)).flat()) expectRefused(answer)
    await held.letGo()
    expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).status).toBe(201)
  })

  test('of which one caller waits for something gives them four connections, whatever they ask for', async () => {
    const { ada, board, nobody } = await people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const form = () => {
      const given = new FormData()
      given.set('file', new File(['x'], 'x.txt'))
      return given
    }
    const file = (): Promise<unknown> =>
      fetch(`http://127.0.0.1:${server.port}/api/attachments/${task.id}`, {
        method: 'POST',
        headers: { cookie: ada.cookie() },
        body: form(),
      })
    const login = (): Promise<unknown> => nobody.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
    const itsBoard = (transaction: Transaction) => transaction`select 1 from boards where id = ${board.id} for update`
    const account = (transaction: Transaction) => transaction`select 1 from users where id = ${ada.id} for update`
    for (const [lock, call] of [
      [itsBoard, file],
      [account, login],
    ] as const) {
      const held = await hold(lock)
      const calls = Array.from({ length: 20 }, () => call().then(() => {}))
      await until('four of them wait', async () => (await held.waiting()) === 4)
      expect((await ada.http('GET', '/api/boards')).status).toBe(200)
      expect(await held.waiting()).toBeLessThanOrEqual(4)
      await held.letGo()
      await Promise.all(calls)
    }
  })

  type Transaction = postgres.TransactionSql
  /** Another process that locks something, and stays. */
  async function hold(lock: (transaction: Transaction) => PromiseLike<unknown>) {
    const other = postgres(scratch.url, { max: 2, onnotice: () => {} })
    const letGo = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = other.begin(async (transaction) => {
      await lock(transaction)
      isHeld.resolve()
      await letGo.promise
    })
    await isHeld.promise
    return {
      /** How many connections wait for a lock. */
      async waiting() {
        const [row] = await other<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row?.waiting
      },
      async letGo() {
        letGo.resolve()
        await holding
        await other.end()
      },
    }
  }
})
