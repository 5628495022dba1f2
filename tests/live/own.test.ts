import { expect, spyOn, test } from 'bun:test'
import { changeKind } from '../../src/web/live/changeKinds'
import { receiveOwn, resume, submit } from '../../src/web/live/changeQueue'
import { liveKey } from '../../src/web/live/liveQuery'
import { pendingChanges } from '../../src/web/live/pendingChanges'
import { predicted } from '../../src/web/live/predictions'
import { keepChangesOf } from '../../src/web/live/storedChanges'
import { isTemporary, storedId } from '../../src/web/live/temporaryIds'
import { queryClient } from '../../src/web/queryClient'
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

test('a change that waited for a day is not sent unasked, for its key may be forgotten, nor is one that was tried again', async () => {
  const sent: string[] = []
  const kind = changeKind({ name: 'test.old', send: async (_input: object, { context: { key = '' } }) => void sent.push(key) })
  const at = Date.now() - 24 * 60 * 60_000
  const old = { key: 'old', name: kind.name, boardId: 3, input: {}, id: -1, at, isTimed: true }
  resume([old, { ...old, key: 'tried', forcedAt: at }, { ...old, key: 'now', forcedAt: Date.now() }])
  for (const key of ['old', 'tried', 'now']) await isOver(key)
  expect(sent).toEqual(['now'])
})

test('a prediction that fails takes nothing else with it', async () => {
  const { promise, resolve } = Promise.withResolvers<{ id: number }>()
  const failing = changeKind({
    name: 'test.failing',
    send: () => promise,
    predict: () => {
      throw new Error('There is no such place')
    },
  })
  const warned = spyOn(console, 'warn').mockImplementation(() => {})
  void submit(3, failing, {})
  const { key = '' } = pendingChanges().at(-1) ?? {}
  queryClient.setQueryData(liveKey(3, 'board'), { data: 'as it was', versions: { 3: 1 } })
  expect(predicted<string>(liveKey(3, 'board'), () => 'changed')).toBe('as it was')
  expect(warned).toHaveBeenCalledTimes(1)
  warned.mockRestore()
  resolve({ id: 1 })
  await isOver(key)
})

async function isOver(key: string) {
  while (pendingChanges().some((change) => change.key === key && change.state !== 'answered')) await Promise.resolve()
}
