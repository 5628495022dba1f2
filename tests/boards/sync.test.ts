import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import { snapshotReducers } from '../../src/app/snapshotReducers'
import { snapshotQuery } from '../../src/boards/page/cache'
import type { AnnouncedChange } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import { applyAnswer, receive, setSnapshotReducers } from '../../src/web/live/snapshot'
import { queryClient } from '../../src/web/queryClient'
import { aBoard } from '../support/shapes'

setSnapshotReducers(snapshotReducers)

const BOARD = 1
const { queryKey } = snapshotQuery(BOARD)

const at = (version: number, name = `Version ${version}`): Snapshot => ({
  board: aBoard({ id: BOARD, name, version }),
  timers: [],
  tasks: [],
})

const renamed = (version: number): AnnouncedChange => ({
  type: 'BOARD_UPDATED',
  payload: { boardId: BOARD, version, by: 1, updates: { name: `Version ${version}`, description: null } },
})
const joined = (version: number) => ({ type: 'joined_board', payload: { boardId: BOARD, version } }) as const

/** A real server whose answers the test gives when it likes. */
let server: ReturnType<typeof Bun.serve>
let asked: { answer(snapshot: Snapshot): void }[] = []
let wanted = Promise.withResolvers<void>()
const relative = globalThis.fetch
let stopWatching = () => {}

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    fetch: () => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      asked.push({ answer: (snapshot) => resolve(Response.json(snapshot)) })
      wanted.resolve()
      return promise
    },
  })
  // A page's addresses are relative; here there is no page that they could be relative to.
  const absolute = (...[path, init]: Parameters<typeof fetch>) => relative(new URL(String(path), server.url), init)
  globalThis.fetch = Object.assign(absolute, { preconnect: () => {} })
})
afterAll(async () => {
  globalThis.fetch = relative
  await server.stop(true)
})
beforeEach(() => {
  stopWatching()
  queryClient.clear()
  asked = []
  wanted = Promise.withResolvers()
})

/** The next read of the board, once it has begun. */
async function read() {
  while (asked.length === 0) {
    await wanted.promise
    wanted = Promise.withResolvers()
  }
  const next = asked.shift()
  if (!next) throw new Error('no read began')
  return next
}

/** Somebody has the board open; `shows` waits until they see a version. */
function watch() {
  const observer = new QueryObserver(queryClient, snapshotQuery(BOARD))
  const seen: Snapshot[] = []
  let look = () => {}
  stopWatching = observer.subscribe(({ data }) => {
    if (data) seen.push(data)
    look()
  })
  return async (version: number) => {
    while (queryClient.getQueryData(queryKey)?.board.version !== version) await new Promise<void>((resolve) => (look = resolve))
    expect(queryClient.getQueryData(queryKey)?.board.name).toBe(`Version ${version}`)
  }
}

describe('an open board', () => {
  test('applies what follows, and drops what it has', async () => {
    queryClient.setQueryData(queryKey, at(5))
    const shows = watch()
    receive(renamed(6))
    receive(renamed(6))
    receive(renamed(4))
    await shows(6)
    expect(asked).toEqual([])
  })

  test('puts what comes in the wrong order into the right one', async () => {
    queryClient.setQueryData(queryKey, at(5))
    const shows = watch()
    receive(renamed(7))
    receive(renamed(6))
    // Read before either of them was stored.
    ;(await read()).answer(at(5))
    await shows(7)
  })

  test('is read again after a gap, and keeps what came meanwhile', async () => {
    queryClient.setQueryData(queryKey, at(5))
    const shows = watch()
    receive(renamed(8))
    const begun = await read()
    receive(renamed(9))
    begun.answer(at(8))
    await shows(9)
  })

  test('is read once more where the read under way was too old', async () => {
    queryClient.setQueryData(queryKey, at(5))
    const shows = watch()
    receive(renamed(8))
    const begun = await read()
    receive(renamed(12))
    begun.answer(at(9))
    ;(await read()).answer(at(12))
    await shows(12)
  })

  test('joined twice while it is being read, is read until it is there', async () => {
    queryClient.setQueryData(queryKey, at(10))
    const shows = watch()
    receive(joined(12))
    receive(joined(12))
    receive(joined(13))
    ;(await read()).answer(at(12))
    ;(await read()).answer(at(13))
    await shows(13)
  })

  test('with a gap in its first read, is read again', async () => {
    const shows = watch()
    const first = await read()
    receive(renamed(12))
    first.answer(at(10))
    ;(await read()).answer(at(12))
    await shows(12)
  })

  test('is read again where the database is an older one', async () => {
    queryClient.setQueryData(queryKey, at(10))
    const shows = watch()
    receive(joined(3))
    ;(await read()).answer(at(3))
    await shows(3)
    receive(renamed(4))
    await shows(4)
  })
})

describe('the answer to a change', () => {
  test('comes before its message, and counts', () => {
    queryClient.setQueryData(queryKey, at(5))
    applyAnswer(BOARD, 6, [renamed(6)])
    expect(queryClient.getQueryData(queryKey)).toEqual(at(6))
  })

  test('comes after newer messages, and does not undo them', () => {
    queryClient.setQueryData(queryKey, at(5))
    receive(renamed(6))
    receive(renamed(7))
    applyAnswer(BOARD, 6, [renamed(6)])
    expect(queryClient.getQueryData(queryKey)).toEqual(at(7))
  })

  test('comes before messages of others, which are still applied', () => {
    queryClient.setQueryData(queryKey, at(5))
    applyAnswer(BOARD, 7, [renamed(7)])
    expect(queryClient.getQueryData(queryKey)).toEqual(at(5, 'Version 7'))
    receive(renamed(6))
    receive(renamed(7))
    expect(queryClient.getQueryData(queryKey)).toEqual(at(7))
  })
})
