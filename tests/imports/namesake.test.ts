import { expect, test } from 'bun:test'
import { likelyMe } from '../../src/imports/page/PreviewForm'

const person = (id: number, name: string, isMe = false) => ({ id, name, email: null, isMe, rows: 0 })
const ada = { name: 'Ada', username: 'ada' }

test('who imports begins as the one with their address, or else as the one with their name where only one has it', () => {
  expect(likelyMe(ada, [person(1, 'Bob'), person(2, 'Ada')])).toBe(2)
  expect(likelyMe({ name: null, username: 'bob' }, [person(1, 'bob')])).toBe(1)
  expect(likelyMe(ada, [person(1, 'Ada'), person(2, 'Ada')])).toBeUndefined()
  expect(likelyMe(ada, [person(1, 'Ada'), person(2, 'Bob', true)])).toBe(2)
})
