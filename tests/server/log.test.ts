import { expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { explain } from '../../src/server/errors'
import { openInMemory } from '../support/databases'

test('a query that fails is logged with its reason, and without what people wrote', async () => {
  const { db } = await openInMemory()
  const error = await db.execute(sql`select ${'a secret'}::text, 1 / 0`).catch((reason: unknown) => reason)
  const said = spyOn(console, 'error').mockImplementation(() => {})
  const { status } = explain(error)
  const logged = said.mock.calls.map((words) => words.map((word) => Bun.inspect(word)).join(' ')).join('\n')
  said.mockRestore()
  expect(status).toBe(500)
  expect(logged).toContain('division by zero')
  expect(logged).not.toContain('a secret')
})
