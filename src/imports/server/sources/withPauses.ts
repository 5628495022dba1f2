import { setImmediate } from 'node:timers/promises'
import { collectGarbage } from '../../../server/memory'

const AT_ONCE_MS = 10

/** The same items, with time for everybody else in between, and no more garbage than is bearable. */
export async function* withPauses<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let since = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - since < AT_ONCE_MS) continue
    await setImmediate()
    collectGarbage()
    since = performance.now()
  }
}

/** As `Map.groupBy`, with such pauses. */
export async function groupedBy<T, Key>(items: T[], keyOf: (item: T) => Key): Promise<Map<Key, T[]>> {
  const groups = new Map<Key, T[]>()
  for await (const item of withPauses(items)) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** As `new Map`, with such pauses. */
export async function mapOf<T, Key, Value>(items: T[], entryOf: (item: T) => [Key, Value]): Promise<Map<Key, Value>> {
  const map = new Map<Key, Value>()
  for await (const item of withPauses(items)) map.set(...entryOf(item))
  return map
}
