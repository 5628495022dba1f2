import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/database'
import { unwantedFiles } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'

onEachDatabase('a transaction', (server) => {
  const put = (db: Db, name: string) => db.insert(unwantedFiles).values({ name, dueAt: sql`now()` })
  const stored = async () => (await server.db.select().from(unwantedFiles)).map(({ name }) => name)

  test('that fails stores nothing, and what is asked of it afterwards is refused', async () => {
    let late = Promise.resolve<unknown>(undefined)
    const refused = server.db.transaction(async (transaction) => {
      await put(transaction, 'first')
      late = Bun.sleep(0)
        .then(() => put(transaction, 'late'))
        .catch((error: Error) => error)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await late).toBeInstanceOf(Error)
    expect(await stored()).toEqual([])
  })

  test('whose failure nobody looked at is not told as done', async () => {
    const failed = server.db.transaction(async (transaction) => {
      await put(transaction, 'first')
      await transaction.execute(sql`select 1 / 0`).catch(() => {})
    })
    expect(await Promise.allSettled([failed])).toMatchObject([{ status: 'rejected' }])
    expect(await stored()).toEqual([])
  })
})
