import { expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import type { AnnouncedChange } from '../../src/protocol'
import type { TimeEntry } from '../../src/time/schema'
import { changeKind } from '../../src/web/live/changeKinds'
import { receiveOwn, submit } from '../../src/web/live/changeQueue'
import { EVERY_BOARD, liveQuery, shownVersion } from '../../src/web/live/liveQuery'
import { pendingChanges } from '../../src/web/live/pendingChanges'
import { keepChangesOf } from '../../src/web/live/storedChanges'
import { noteStoredId, storedId, temporaryId } from '../../src/web/live/temporaryIds'
import { queryClient } from '../../src/web/queryClient'

const BOARD = 900

/** Starts a timer, as it were, whose answer does not come until the test gives it. */
function begin(input: object) {
  void keepChangesOf(1, true)
  const { promise, resolve } = Promise.withResolvers<{ id: number }>()
  const creates = { type: 'time_entry_added', as: 'entry' } as const
  const kind = changeKind({ name: 'a test of changes', creates, send: (_input: object, { context }) => answer(context) })
  const answer = async (context: { version?: number }) => {
    context.version = 12
    return promise
  }
  const outcome = submit(BOARD, kind, input)
  const [change] = pendingChanges().slice(-1)
  if (!change) throw new Error('nothing is under way')
  return { change, outcome, answer: resolve, now: () => pendingChanges().find(({ key }) => key === change.key) }
}

/** The reducers need no more of an entry. */
const entry = (id: number) => ({ id, taskId: 1 }) as TimeEntry

const message = (type: 'time_entry_added' | 'time_entry_updated', id: number, version: number, key: string): AnnouncedChange => ({
  type,
  payload: { boardId: BOARD, version, by: 1, key, taskId: 1, entry: entry(id), minutes: 0 },
})

test('a started timer is not called by the name of the one that it paused', async () => {
  const { change, outcome, answer, now } = begin({})
  receiveOwn(message('time_entry_updated', 40, 11, change.key))
  expect(storedId(change.id)).toBe(change.id)
  receiveOwn(message('time_entry_added', 41, 12, change.key))
  expect(storedId(change.id)).toBe(41)
  expect(now()).toMatchObject({ version: 12 })
  expect(now()?.state).toBe('new')
  answer({ id: 41 })
  expect(await outcome).toEqual({ id: 41, answer: { id: 41 } })
  expect(now()).toBeUndefined()
})

test('what is under way shows until a list of all boards has it, too, which knew nothing of its board', () => {
  const query = liveQuery({ key: [EVERY_BOARD, 'a test of changes'], read: async () => 0, apply: (data: number) => data })
  queryClient.setQueryData(query.queryKey, { data: 0, versions: {} })
  const stop = new QueryObserver(queryClient, query).subscribe(() => {})
  expect(shownVersion(BOARD)).toBe(0)
  stop()
  queryClient.removeQueries(query)
})

test('a change names what it is made of by the ids that are known, for those outlast the page', async () => {
  const id = temporaryId()
  noteStoredId(id, 77)
  const { change, outcome, answer } = begin({ taskId: id })
  expect(change.input).toEqual({ taskId: 77 })
  answer({ id: 42 })
  await outcome
})
