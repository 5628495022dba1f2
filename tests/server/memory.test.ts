import { expect, test } from 'bun:test'
import { createMemoryBudget } from '../../src/server/memoryBudget'

/** Work that holds so many bytes until it is let end, and what has begun so far. */
function holding(total: number) {
  const memory = createMemoryBudget(total)
  const begun: string[] = []
  const hold = (name: string, bytes: number, waitMs?: number | null) => {
    const [begin, end] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const work = () => {
      begun.push(name)
      begin.resolve()
      return end.promise
    }
    const done = memory.hold(bytes, work, waitMs)
    return { done, beginning: begin.promise, end: () => end.resolve(name), fail: () => end.reject(new Error(name)) }
  }
  return { memory, begun, hold }
}

test('what does not fit waits, and whoever came first is first', async () => {
  const { begun, hold } = holding(10)
  const [a, b, c] = [hold('a', 6), hold('b', 6), hold('c', 2)]
  await a.beginning
  // c would fit, but b came before it.
  expect(begun).toEqual(['a'])
  a.end()
  await a.done
  b.end()
  c.end()
  await Promise.all([b.done, c.done])
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('memory comes back from work that fails', async () => {
  const { begun, hold } = holding(10)
  const [a, b] = [hold('a', 10), hold('b', 10)]
  a.fail()
  await expect(a.done).rejects.toThrow('a')
  b.end()
  await b.done
  expect(begun).toEqual(['a', 'b'])
})

test('who waits too long is refused, told when to come again, and holds up nobody any more', async () => {
  const { begun, hold } = holding(10)
  hold('a', 6)
  const [b, c] = [hold('b', 6, 1), hold('c', 4, null)]
  const refusal = { code: 'SERVICE_UNAVAILABLE', extra: { retryAfter: 30 }, message: expect.stringContaining('try again') }
  await expect(b.done).rejects.toMatchObject(refusal)
  c.end()
  await c.done
  expect(begun).toEqual(['a', 'c'])
})

test('work that would take more than there is has all of it, and is told so', async () => {
  const { memory } = holding(10)
  expect(await memory.hold(99, async (held) => held)).toBe(10)
})
