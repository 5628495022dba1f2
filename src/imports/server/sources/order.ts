/** By the first number in which two differ; each item's are asked for once. */
export function inOrder<T>(items: T[], placeOf: (item: T) => number[]): T[] {
  const placed = items.map((item) => ({ item, place: placeOf(item) }))
  return placed.sort((a, b) => compared(a.place, b.place)).map(({ item }) => item)
}

function compared(a: number[], b: number[]): number {
  for (const [at, number] of a.entries()) if (number !== b[at]) return number - (b[at] ?? 0)
  return 0
}
