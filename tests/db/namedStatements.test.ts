import { afterAll, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { withNamedStatements } from '../../src/db/namedStatements'
import { extensions } from '../../src/db/pglite'
import { emptyDatabase } from '../support/emptyDatabase'

const opening = emptyDatabase().then((loadDataDir) => PGlite.create({ extensions, loadDataDir }))
const opened = opening.then(withNamedStatements)
afterAll(async () => (await opening).close())

const statements = async () =>
  (
    await (
      await opening
    ).query<{ statement: string; plans: number }>(
      'select statement, (generic_plans + custom_plans)::int as plans from pg_prepared_statements',
    )
  ).rows

test('the embedded database parses each text once, within transactions and outside', async () => {
  const client = await opened
  const text = 'select $1::int + 1 as next, $2::jsonb as kept, $3::text as none'
  const ask = (on: Pick<PGlite, 'query'>, n: number) => on.query(text, [n, { n }, null])
  const answers = [
    await ask(client, 1),
    ...(await client.transaction(async (inner) => [await ask(inner, 2), await ask(inner, 3)])),
  ]
  expect(answers.map(({ rows }) => rows)).toEqual([1, 2, 3].map((n) => [{ next: n + 1, kept: { n }, none: null }]))
  expect((await client.query(text, [4, {}, null], { rowMode: 'array' })).rows).toEqual([[5, {}, null]])
  expect((await statements()).filter(({ statement }) => statement === text)).toEqual([{ statement: text, plans: 4 }])
})

test('a refusal keeps its code, undoes its transaction, and leaves statements as they were', async () => {
  const client = await opened
  await client.query('create table held (id int primary key)')
  const put = 'insert into held values ($1)'
  const failing = client.transaction(async (inner) => {
    await inner.query(put, [1])
    await inner.query(put, [1])
  })
  expect(await failing.catch(({ code }) => code)).toBe('23505')
  expect(await client.query('select * from nowhere').catch(({ code }) => code)).toBe('42P01')
  expect((await client.query(put, [1])).affectedRows).toBe(1)
  expect((await client.query('select id from held')).rows).toEqual([{ id: 1 }])
  await client.query('alter table held add column more text')
  expect((await client.query(put, [2])).affectedRows).toBe(1)
})

test('others have their turns while a long answer is made, which is whole', async () => {
  const client = await opened
  const numbers = Array.from({ length: 1_000 }, (_, n) => n)
  const ended = { query: false }
  const turn = new Promise((resolve) => setImmediate(() => resolve(!ended.query)))
  const { rows } = await client.query('select n from generate_series(0, 999) n')
  ended.query = true
  expect(await turn).toBe(true)
  expect(rows).toEqual(numbers.map((n) => ({ n })))
  await client.query('create table many (n int)')
  const put = 'insert into many select n from generate_series(0, 999) n'
  expect((await client.query(`${put} returning n`)).rows).toHaveLength(1_000)
  expect((await client.query(put)).affectedRows).toBe(1_000)
  const late = client.query('select 1 / (500 - n) from generate_series(0, 999) n')
  expect(await late.catch(({ code }) => code)).toBe('22012')
  expect((await client.query('select count(*)::int as n from many')).rows).toEqual([{ n: 2_000 }])
})

test('of many texts the ones used longest ago are forgotten', async () => {
  const client = await opened
  for (let n = 0; n < 600; n++) {
    await client.query('select 1 as often')
    await client.query(`select ${n} as n`)
  }
  const kept = (await statements()).map(({ statement }) => statement)
  expect(kept.length).toBeLessThanOrEqual(500)
  expect(kept).toContain('select 599 as n')
  expect(kept).not.toContain('select 0 as n')
  expect((await client.query('select 0 as n')).rows).toEqual([{ n: 0 }])
})
