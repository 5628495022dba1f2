import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import { snapshotReducers } from '../../src/app/start'
import { snapshotQuery } from '../../src/boards/page/cache'
import type { AnnouncedChange } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import { EVERY_BOARD, type Live, liveQuery, noteAnswered, receive } from '../../src/web/live/liveQuery'
import { setSnapshotReducers } from '../../src/web/live/reducers'
import { queryClient } from '../../src/web/queryClient'
import { aBoard } from '../support/shapes'

setSnapshotReducers(snapshotReducers)

/** Another one in each test, for a page never forgets what it has heard of a board. */
let board = 0
const key = () => snapshotQuery(board).queryKey

const at = (version: number): Snapshot => ({
  board: aBoard({ id: board, name: `Version ${version}`, version }),
  timers: [],
  tasks: [],
})
const known = (version: number): Live<Snapshot> => ({ data: at(version), versions: { [board]: version } })
const shown = () => queryClient.getQueryData(key())

const renamed = (version: number): AnnouncedChange => ({
  type: 'BOARD_UPDATED',
  payload: { boardId: board, version, by: 1, updates: { name: `Version ${version}`, description: null } },
})
const joined = (version: number) => ({ type: 'joined_board', payload: { boardId: board, version } }) as const

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
  stopWatching()
  queryClient.clear()
  globalThis.fetch = relative
  await server.stop(true)
})
beforeEach(() => {
  stopWatching()
  queryClient.clear()
  board += 1
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
  const observer = new QueryObserver(queryClient, snapshotQuery(board))
  let look = () => {}
  stopWatching = observer.subscribe(() => look())
  return async (version: number) => {
    while (shown()?.versions[board] !== version) await new Promise<void>((resolve) => (look = resolve))
    expect(shown()?.data.board.name).toBe(`Version ${version}`)
  }
}

describe('an open board', () => {
  test('applies what follows, and drops what it has', async () => {
    queryClient.setQueryData(key(), known(5))
    const shows = watch()
    receive(renamed(6))
    receive(renamed(6))
    receive(renamed(4))
    await shows(6)
    expect(asked).toEqual([])
  })

  test('puts what comes in the wrong order into the right one, and reads nothing for it', async () => {
    queryClient.setQueryData(key(), known(5))
    const shows = watch()
    receive(renamed(7))
    receive(renamed(6))
    await shows(7)
    expect(asked).toEqual([])
  })

  test('is read again where the message of an own change is lost', async () => {
    queryClient.setQueryData(key(), known(5))
    const shows = watch()
    noteAnswered(board, 6)
    ;(await read()).answer(at(6))
    await shows(6)
  })

  test('is read again after a gap, and keeps what came meanwhile', async () => {
    queryClient.setQueryData(key(), known(5))
    const shows = watch()
    receive(renamed(8))
    const begun = await read()
    receive(renamed(9))
    begun.answer(at(8))
    await shows(9)
  })

  test('is read once more where the read under way was too old', async () => {
    queryClient.setQueryData(key(), known(5))
    const shows = watch()
    receive(renamed(8))
    const begun = await read()
    receive(renamed(12))
    begun.answer(at(9))
    ;(await read()).answer(at(12))
    await shows(12)
  })

  test('joined twice while it is being read, is read until it is there', async () => {
    queryClient.setQueryData(key(), known(10))
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
    queryClient.setQueryData(key(), known(10))
    const shows = watch()
    receive(joined(3))
    ;(await read()).answer(at(3))
    await shows(3)
    receive(renamed(4))
    await shows(4)
  })
})

describe('a list of every board', () => {
  /** Its data are the versions that it was brought; a read brings none. */
  function watchList() {
    let reads = 0
    let look = () => {}
    const query = liveQuery<number[]>({
      key: [EVERY_BOARD, `brought ${board}`],
      read: async () => {
        reads += 1
        return []
      },
      apply: (brought, { payload }) => ('version' in payload ? [...brought, Number(payload.version)] : brought),
    })
    stopWatching = new QueryObserver(queryClient, query).subscribe(() => look())
    const until = async (isThere: (live: Live<number[]> | undefined) => boolean) => {
      while (!isThere(queryClient.getQueryData(query.queryKey))) await new Promise<void>((resolve) => (look = resolve))
    }
    const readTimes = (times: number) => until(() => reads === times && queryClient.isFetching() === 0)
    return { until, readTimes }
  }

  test('is read again where a message comes after a newer one', async () => {
    const list = watchList()
    await list.readTimes(1)
    receive(renamed(7))
    receive(renamed(9))
    await list.until((live) => live?.data.at(-1) === 9)
    receive(renamed(8))
    await list.readTimes(2)
  })

  test('goes on where the database is an older one', async () => {
    const list = watchList()
    await list.readTimes(1)
    noteAnswered(board, 50)
    await list.readTimes(2)
    receive(joined(40))
    await list.readTimes(3)
    receive(renamed(41))
    await list.until((live) => live?.data.at(-1) === 41)
    expect(queryClient.isFetching()).toBe(0)
  })
})
