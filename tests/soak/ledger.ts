import type { History } from './history'

/** What somebody was told that is so now; it is void where one of `of` is not there any more. */
export type Fact = { key: string; value: string | null; of: string[] }
type Known = {
  of: string[]
  board: number
  acknowledged?: { version: number; value: string | null; by: string }
  /** What may have come true, or may yet, and until when. */
  maybe: Map<string | null, number>
}
export type Ledger = ReturnType<typeof createLedger>

/** Long after an answer is given up, its change may still arrive, from a process that was frozen. */
const MAYBE_MS = 10_000

/** Every acknowledged change, against which the database is held. */
export function createLedger(history: History) {
  const facts = new Map<string, Known>()
  const answered = new Map<string, string>()

  function known({ key, of }: Fact, board: number): Known {
    const fact = facts.get(key) ?? { of, board, maybe: new Map() }
    facts.set(key, fact)
    return fact
  }

  /** What hangs on this may be gone for good, even if this comes back. */
  function forget(key: string) {
    for (const [other, { of }] of facts) if (of.includes(key)) facts.delete(other)
  }

  return {
    /** `version` is what the answer named; without one the change may have changed nothing, or never come. */
    record(by: string, board: number, given: Fact[], version: number | undefined) {
      if (version !== undefined) {
        const other = answered.get(`${board}:${version}`)
        if (other) history.violate('doubled', `version ${version} is the answer to ${other}, and to ${by}`, { board })
        answered.set(`${board}:${version}`, by)
      }
      for (const fact of given) {
        if (fact.value === null) forget(fact.key)
        const before = known(fact, board)
        if (version === undefined) before.maybe.set(fact.value, history.now() + MAYBE_MS)
        else if (version > (before.acknowledged?.version ?? -1)) before.acknowledged = { version, value: fact.value, by }
      }
    },

    /** Holds what the database has against all that is known; from then on, that is what is known. */
    check(actual: Map<string, string>) {
      const isThere = (key: string) => actual.has(key)
      for (const [key, fact] of facts) {
        const value = actual.get(key) ?? null
        const { acknowledged, maybe } = fact
        if (!fact.of.every(isThere)) facts.delete(key)
        else if (acknowledged && acknowledged.value !== value && !maybe.has(value))
          history.violate(
            'lost',
            `${key} is ${value}, but ${acknowledged.by} was told ${acknowledged.value} at version ${acknowledged.version}`,
            { board: fact.board },
          )
        if (acknowledged) acknowledged.value = value
        for (const [other, until] of maybe) if (until < history.now()) maybe.delete(other)
      }
    },
  }
}
