import { expect, test } from 'bun:test'
import { hasNames, keptUntil } from '../../src/imports/page/OneImport'
import { likelyMe } from '../../src/imports/page/PreviewForm'
import type { BoardImport } from '../../src/imports/schema'

const person = (id: number, name: string, isMe = false) => ({ id, name, email: null, isMe, rows: 0 })
test('names are left to link once an import is done, unless its only person is its importer or nobody can be', () => {
  const preview = (...people: object[]) => ({ people }) as Pick<BoardImport, 'preview'>['preview']
  expect(hasNames({ preview: preview(person(1, 'Ada')), me: 1 })).toBe(false)
  expect(hasNames({ preview: preview({ ...person(2, 'Former member'), former: true }), me: null })).toBe(false)
  expect(hasNames({ preview: preview(person(1, 'Ada', true)), me: null })).toBe(true)
  expect(hasNames({ preview: preview(person(1, 'Ada'), person(2, 'Bob')), me: 1 })).toBe(true)
})

test('an import is kept for two days from its last change', () => {
  expect(keptUntil({ changedAt: '2020-03-04T12:00:00.000Z' })).toBe('Mar 6, 2020')
})

const ada = { name: 'Ada', username: 'ada' }

test('who imports begins as the one with their address, or else as the one with their name where only one has it', () => {
  expect(likelyMe(ada, [person(1, 'Bob'), person(2, 'Ada')])).toBe(2)
  expect(likelyMe({ name: null, username: 'bob' }, [person(1, 'bob')])).toBe(1)
  expect(likelyMe(ada, [person(1, 'Ada'), person(2, 'Ada')])).toBeUndefined()
  expect(likelyMe(ada, [person(1, 'Ada'), person(2, 'Bob', true)])).toBe(2)
})
