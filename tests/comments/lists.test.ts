import { beforeEach, describe, expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import { applyToComments } from '../../src/comments/page/cache'
import type { Comment } from '../../src/comments/schema'
import type { AnnouncedChange, BoardChange } from '../../src/protocol'
import { liveQuery, noteAnswered, receive } from '../../src/web/live/liveQuery'
import { queryClient } from '../../src/web/queryClient'

const TASK = 7
const user = { id: 1, username: 'ada', name: null, avatar: '' }
const at = (id: number, content = `Comment ${id}`, second = id): Comment => ({
  id,
  taskId: TASK,
  revision: 1,
  userId: 1,
  content,
  createdAt: new Date(second * 1000).toISOString(),
  user,
})
const added = (comment: Comment): BoardChange => ({
  type: 'new_comment',
  payload: { taskId: TASK, comment, commentCount: 9, updatedAt: comment.createdAt },
})
const edited = (comment: Comment): BoardChange => ({
  type: 'comment_updated',
  payload: { taskId: TASK, comment, updatedAt: comment.createdAt },
})
const removed = (commentId: number): BoardChange => ({
  type: 'comment_deleted',
  payload: { taskId: TASK, commentId, commentCount: 9, updatedAt: '2026-01-01T00:00:00.000Z' },
})

describe('a change applied to comments', () => {
  const list = [at(1), at(2), at(4)]
  const after = (change: BoardChange) => applyToComments(TASK, list, change)

  for (const [what, change, ids] of [
    ['a new one', added(at(5)), [1, 2, 4, 5]],
    ['one that comes late', added(at(3)), [1, 2, 3, 4]],
    ['one of the same moment', added(at(3, 'Same', 2)), [1, 2, 3, 4]],
    ['an edit', edited(at(2, 'Edited')), [1, 2, 4]],
    ['an edit of one that is gone', edited(at(9)), [1, 2, 4]],
    ['a deletion', removed(2), [1, 4]],
    ['a deletion of one that is gone', removed(9), [1, 2, 4]],
    ['a deleted task', { type: 'task_deleted', payload: { taskId: TASK } }, [1, 2, 4]],
    ['a new name of the board', { type: 'BOARD_UPDATED', payload: { updates: { name: 'x', description: null } } }, [1, 2, 4]],
  ] as [string, BoardChange, number[]][])
    test(`${what}: leaves the list it was given as it was, and twice is as once`, () => {
      const before = structuredClone(list)
      const once = after(change)
      expect(list).toEqual(before)
      expect(once.map(({ id }) => id)).toEqual(ids)
      expect(applyToComments(TASK, once, change)).toEqual(once)
    })

  test('its author has their new name', () => {
    const renamed = { ...user, username: 'grace', name: 'Grace' }
    const now = after({ type: 'user_profile_updated', payload: { user: renamed } })
    expect(now.map((comment) => comment.user)).toEqual([renamed, renamed, renamed])
    expect(after({ type: 'user_profile_updated', payload: { user: { ...renamed, id: 2 } } })).toBe(list)
  })

  test('one of another task changes nothing', () => {
    expect(applyToComments(8, list, added(at(5)))).toBe(list)
  })
})

describe('a list that is shown', () => {
  let board = 0
  let reads: { answer(list: Comment[]): void }[] = []
  let begun = Promise.withResolvers<void>()
  const query = () =>
    liveQuery({
      key: [board, 'comments', TASK],
      read: () => {
        const { promise, resolve } = Promise.withResolvers<Comment[]>()
        reads.push({ answer: resolve })
        begun.resolve()
        begun = Promise.withResolvers()
        return promise
      },
      apply: (list: Comment[], change) => applyToComments(TASK, list, change),
    })
  let stopWatching = () => {}
  beforeEach(() => {
    stopWatching()
    queryClient.clear()
    reads = []
    board += 1
  })

  const message = (version: number, change: BoardChange) =>
    ({ type: change.type, payload: { ...change.payload, boardId: board, version, by: 1 } }) as AnnouncedChange
  const joined = (version: number) => receive({ type: 'joined_board', payload: { boardId: board, version } })
  const shown = () => queryClient.getQueryData(query().queryKey)?.data.map(({ content }) => content)

  /** Somebody looks at the list, of which nothing was read yet. */
  function watch() {
    stopWatching = new QueryObserver(queryClient, query()).subscribe(() => {})
  }
  async function nextRead() {
    while (reads.length === 0) await begun.promise
    const read = reads.shift()
    if (!read) throw new Error('no read began')
    return {
      async answer(list: Comment[]) {
        const settled = Promise.withResolvers<void>()
        const stop = queryClient.getQueryCache().subscribe(({ query }) => query.state.fetchStatus === 'idle' && settled.resolve())
        read.answer(list)
        await settled.promise
        stop()
      },
    }
  }
  async function watched(...list: Comment[]) {
    joined(10)
    watch()
    await (await nextRead()).answer(list)
  }

  test('takes what is told of it', async () => {
    await watched(at(1))
    receive(message(11, added(at(2))))
    receive(message(12, edited(at(1, 'Edited'))))
    expect(shown()).toEqual(['Edited', 'Comment 2'])
    expect(reads).toEqual([])
  })

  test('keeps what is told while it is read', async () => {
    joined(10)
    watch()
    const read = await nextRead()
    receive(message(11, added(at(2))))
    receive(message(12, added(at(3))))
    await read.answer([at(1)])
    expect(shown()).toEqual(['Comment 1', 'Comment 2', 'Comment 3'])
  })

  test('is read again after a gap, on the wire and after joining', async () => {
    await watched(at(1))
    receive(message(13, added(at(4))))
    await (await nextRead()).answer([at(1), at(2), at(4)])
    expect(shown()).toEqual(['Comment 1', 'Comment 2', 'Comment 4'])
    joined(13)
    expect(reads).toEqual([])
    joined(15)
    await (await nextRead()).answer([at(5)])
    expect(shown()).toEqual(['Comment 5'])
  })

  test('is read again where the message of an own change is lost', async () => {
    await watched(at(1))
    noteAnswered(board, 11)
    await (await nextRead()).answer([at(1), at(2)])
    expect(shown()).toEqual(['Comment 1', 'Comment 2'])
  })

  test('that is to be read again is not taken for whole because of what is told', async () => {
    await watched(at(1))
    stopWatching()
    // Nobody looks while some messages are missed.
    joined(14)
    receive(message(15, added(at(9))))
    watch()
    await (await nextRead()).answer([at(1), at(8), at(9)])
    expect(shown()).toEqual(['Comment 1', 'Comment 8', 'Comment 9'])
  })

  test('of another board is left alone', async () => {
    await watched(at(1))
    const elsewhere = { ...message(99, added(at(2))).payload, boardId: board + 1000 }
    receive({ type: 'new_comment', payload: elsewhere } as AnnouncedChange)
    expect(shown()).toEqual(['Comment 1'])
    expect(reads).toEqual([])
  })
})
