import { setImmediate } from 'node:timers/promises'

const AT_ONCE_MS = 10

/** The same items, with time for everybody else in between. */
export async function* withPauses<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let since = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - since < AT_ONCE_MS) continue
    await setImmediate()
    since = performance.now()
  }
}
