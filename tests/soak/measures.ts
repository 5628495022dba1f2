/** What a run counts and measures. */
export function createMeasures() {
  const deliveries: number[] = []
  const equalities: number[] = []
  const struck = new Map<string, number>()
  return {
    writes: { done: 0, refused: 0, unknown: 0, repeated: 0 },
    clients: { gaps: 0, rereads: 0 },
    pages: { offline: 0 },
    deliveries,
    equalities,
    struck,
    count: (fault: string) => struck.set(fault, (struck.get(fault) ?? 0) + 1),
  }
}
export type Measures = ReturnType<typeof createMeasures>

export type Part = { readonly since: number; fail(): void; heal(): void }

/** Something that can be unwell; `since` is when it last became well, and infinite while it is not. */
export function part(now: () => number): Part {
  let since = 0
  return {
    get since() {
      return since
    },
    fail: () => {
      since = Number.POSITIVE_INFINITY
    },
    heal: () => {
      since = now()
    },
  }
}
