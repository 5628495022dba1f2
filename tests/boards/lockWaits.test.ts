import { expect, test } from 'bun:test'
import { waitForBoards } from '../../src/boards/server/lookup'

test('a board that nobody waits for any more is not taken for held later', async () => {
  const failed = waitForBoards([7], () => Promise.reject(new Error('the database fell silent')))
  await expect(failed).rejects.toThrow('fell silent')
  await Bun.sleep(1_200)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = waitForBoards([7], () => promise)
  const second = waitForBoards([7], async () => 'locked')
  resolve()
  await first
  expect(await second).toBe('locked')
})
