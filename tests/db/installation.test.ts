import { expect, test } from 'bun:test'
import { installationId } from '../../src/db/installation'
import { installation } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'

onEachDatabase('an installation', (server) => {
  test('has one name, also when many ask for it at once', async () => {
    await server.db.delete(installation)
    const asked = await Promise.all(Array.from({ length: 20 }, () => installationId(server.db)))
    expect(new Set(asked).size).toBe(1)
    expect(await server.db.select().from(installation)).toEqual([
      { id: asked[0] ?? '', hasPlans: true, secret: expect.any(String), setupToken: null },
    ])
    await server.db.delete(installation)
    expect(await installationId(server.db)).not.toBe(asked[0] ?? '')
  })
})
