import { expect, test } from 'bun:test'
import { throttled } from '../../src/web/scheduling'

test('what is asked for all the time comes to its end each time, and is done once more afterwards', async () => {
  const begun: (() => void)[] = []
  let onBegin = () => {}
  const begins = () => new Promise<void>((resolve) => (onBegin = resolve))
  const ask = throttled(() => {
    onBegin()
    return new Promise<void>((resolve, reject) => begun.push(begun.length === 1 ? () => reject(new Error('away')) : resolve))
  }, 0)
  for (const round of [1, 2, 3]) {
    const next = begins()
    for (let asked = 0; asked < 50; asked++) ask()
    if (round > 1) {
      expect(begun).toHaveLength(round - 1)
      begun.at(-1)?.()
    }
    await next
    expect(begun).toHaveLength(round)
  }
})
