import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { activities } from '../../src/db/tables'
import { seed } from '../../src/site/demonstration/seed'
import { onOneDatabase } from '../support/databases'

onOneDatabase('the demonstration', (server) => {
  test('has activity of each day, in the order in which it happened, and none of tomorrow', async () => {
    await seed(server.db)
    const told = await server.db.select().from(activities).orderBy(asc(activities.id))
    for (const ofBoard of Map.groupBy(told, ({ boardId }) => boardId).values()) {
      const moments = ofBoard.map(({ createdAt }) => createdAt.getTime())
      expect(moments).toEqual(moments.toSorted((a, b) => a - b))
      expect(moments.at(-1)).toBeLessThan(Date.now())
    }
    expect(new Set(told.map(({ kind }) => kind))).toEqual(
      new Set(['board_created', 'member_added', 'created', 'assigned', 'moved', 'commented', 'time']),
    )
  })
})
