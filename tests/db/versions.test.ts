import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { version } from '../../package.json'
import { EACH, type Place, placeOn } from '../support/places'
import { run } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const start = (env: Record<string, string>) => run('src/main.ts', { PORT: '0', ...env }, '--no-page').end()

for (const on of EACH)
  describe(`a start on a database of another version (${on})`, () => {
    let place: Place
    beforeAll(async () => {
      place = await placeOn(on)
    })
    afterAll(async () => {
      await place.remove()
    })

    test('stops with a line that says which, and leaves it alone', async () => {
      await place.within(async (db) => {
        await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 4102444800000)`)
      })
      expect(await start(place.env)).toEqual({
        code: 1,
        out: '',
        error:
          `the database was changed by another version of wrk, most likely a newer one: this one, ${version}, does not know its ` +
          'migration of 2100-01-01T00:00:00.000Z. Start that version, or restore a backup from before it\n',
      })
    })
  })

describe('a folder that this wrk cannot read', () => {
  let place: Place
  beforeAll(async () => {
    place = await placeOn('embedded')
    await place.within(async () => {})
  })
  afterAll(async () => {
    await place.remove()
  })
  const postgres = () => join(place.env.DATA_DIR, 'postgres')

  test('of another Postgres is named in a line', async () => {
    const file = join(postgres(), 'PG_VERSION')
    const own = await Bun.file(file).text()
    await Bun.write(file, '17\n')
    expect(await start(place.env)).toEqual({
      code: 1,
      out: '',
      error:
        `the database in ${postgres()} was written by Postgres 17, and this wrk has ${own.trim()}: start the version of wrk that wrote it, ` +
        'or set DATA_DIR to another folder\n',
    })
    await Bun.write(file, own)
    await place.within(async (db) => db.execute(sql`select 1`))
  })

  test.each(['global/pg_control', 'pg_wal', 'base', 'postgresql.conf'])('without %s is told in a line', async (missing) => {
    const copy = join(place.env.DATA_DIR, 'copy')
    await cp(postgres(), join(copy, 'postgres'), { recursive: true })
    await rm(join(copy, 'postgres', missing), { recursive: true })
    const { code, error } = await start({ DATA_DIR: copy })
    expect(error.trimEnd().split('\n')).toEqual([expect.stringMatching(/^the database in .+ (cannot be opened|failed): .{5,}$/)])
    expect(code).toBe(1)
    await rm(copy, { recursive: true })
  })
})
