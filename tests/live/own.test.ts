import { expect, test } from 'bun:test'
import { aliasOf, isTemporary } from '../../src/web/live/aliases'
import { changeKind } from '../../src/web/live/changeKinds'
import { receiveOwn, submit } from '../../src/web/live/changes'
import { keepChangesOf } from '../../src/web/live/kept'
import { pendingChanges, removePending } from '../../src/web/live/pending'
import { aTask } from '../support/shapes'

test('a creation is called by what its own message says, and by nothing that others made under its key', () => {
  keepChangesOf(1)
  const kind = changeKind({
    name: 'test.create',
    creates: { type: 'new_task', as: 'task' },
    send: () => new Promise<never>(() => {}),
  })
  void submit(3, kind, {})
  const { key = '', id = 0 } = pendingChanges().at(-1) ?? {}
  const told = (by: number, made: number) =>
    receiveOwn({ type: 'new_task', payload: { task: aTask({ id: made }), boardId: 3, version: made, by, key } })
  told(1, 7)
  told(2, 8)
  expect([isTemporary(id), aliasOf(id)]).toEqual([true, 7])
  removePending(key)
})
