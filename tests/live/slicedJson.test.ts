import { expect, test } from 'bun:test'
import { parseSliced, slicedJson } from '../../src/web/live/storedAnswers'

test('what is kept in slices comes back whole, and nothing of it is long', async () => {
  const tasks = Array.from({ length: 1_001 }, (_, id) => ({ id, title: `Task ${id}`, tags: ['a'], description: null }))
  const data = { data: { board: { id: 1, members: [] }, tasks }, versions: { 1: 7 } }
  let pauses = 0
  const kept = await slicedJson(data, async () => {
    pauses += 1
  })
  expect(await parseSliced(kept)).toEqual(data)
  expect(pauses).toBe(5)
  expect(kept.json.length).toBeLessThan(200)
})
