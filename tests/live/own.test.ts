import { expect, test } from 'bun:test'
import { changeKind } from '../../src/web/live/changeKinds'
import { receiveOwn, resume, submit } from '../../src/web/live/changeQueue'
import { pendingChanges } from '../../src/web/live/pendingChanges'
import { keepChangesOf } from '../../src/web/live/storedChanges'
import { isTemporary, storedId } from '../../src/web/live/temporaryIds'
import { aTask } from '../support/shapes'

test('a creation is called by what its own message says, and by nothing that others made under its key', async () => {
  void keepChangesOf(1, true)
  const { promise, resolve } = Promise.withResolvers<{ id: number }>()
  const kind = changeKind({
    name: 'test.create',
    creates: { type: 'new_task', as: 'task' },
    send: () => promise,
  })
  void submit(3, kind, {})
  const { key = '', id = 0 } = pendingChanges().at(-1) ?? {}
  const told = (by: number, made: number) =>
    receiveOwn({ type: 'new_task', payload: { task: aTask({ id: made }), boardId: 3, version: made, by, key } })
  told(1, 7)
  told(2, 8)
  expect([isTemporary(id), storedId(id)]).toEqual([true, 7])
  resolve({ id: 7 })
  await isOver(key)
})

test('a change that waited for a day is not sent unasked, for its key may be forgotten', async () => {
  const sent: string[] = []
  const kind = changeKind({ name: 'test.old', send: async (_input: object, { context: { key = '' } }) => void sent.push(key) })
  const day = 24 * 60 * 60_000
  resume([{ key: 'old', name: kind.name, boardId: 3, input: {}, id: -1, at: Date.now() - day, isTimed: true }])
  await isOver('old')
  expect(sent).toEqual([])
})

async function isOver(key: string) {
  while (pendingChanges().some((change) => change.key === key && change.state !== 'answered')) await Promise.resolve()
}
