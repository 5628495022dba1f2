import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { createSemaphore, createUserQueues } from '../../src/server/concurrency'

test('of each person so much goes on at a time, in the order in which it came; of others apart from that', async () => {
  const inTurn = createUserQueues(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(1, work(name)))
  const other = inTurn(2, work('other'))
  expect(begun).toEqual(['a', 'b', 'other'])
  ends.get('b')?.()
  await all[1]
  await setImmediate()
  expect(begun).toEqual(['a', 'b', 'other', 'c'])
  const failing = inTurn(2, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  for (const name of ['a', 'c', 'other']) ends.get(name)?.()
  expect(await Promise.all([all[0], all[2], other])).toEqual(['a', 'c', 'other'])
  await setImmediate()
  ends.get('d')?.()
  expect(await all[3]).toBe('d')
})

test('places are given to each and to all, and back once', () => {
  const take = createSemaphore({ perUser: 2, total: 3 }, 'Too many.')
  const [first] = [take(1), take(1)]
  expect(() => take(1)).toThrow('Too many.')
  take(2)
  expect(() => take(3)).toThrow('Too many.')
  first?.()
  first?.()
  take(3)
  expect(() => take(2)).toThrow('Too many.')
})
