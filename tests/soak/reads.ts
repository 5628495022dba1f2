/** What a page waits for the message of its own change before it reads the board. */
const PATIENCE_MS = 150
/** What the page's clock and the wire's may differ by. */
const MARGIN_MS = 50
/** How long after a message that came late a page that has much to do may begin to read. */
const SLOW_MS = 1_000

export type ReadCounts = { gaps: number; rereads: number; failed: boolean }

/**
 * What a page hears that does not follow on what it knows, and how often it reads its board; its first reading is no gap's.
 * An own change whose message is not there once the page's patience is over excuses one read that begins then; the page waits
 * once for all that it changes meanwhile.
 */
export function createReads(now: () => number = () => performance.now()) {
  const counts: ReadCounts = { gaps: 0, rereads: -1, failed: false }
  let known = 0
  let own: { version: number; since: number; heardAt: number } | undefined
  const hear = (version: number) => {
    known = version
    if (own && own.version <= version) own.heardAt = Math.min(own.heardAt, now())
  }
  return {
    counts,
    joined(version: number) {
      if (known > 0 && version !== known) counts.gaps += 1
      hear(version)
    },
    heard(version: number) {
      if (known > 0 && version > known + 1) counts.gaps += 1
      hear(Math.max(known, version))
    },
    /** An own change, which made this version. */
    answered(version: number) {
      if (version <= known) return
      const isWaiting = own && now() - own.since < PATIENCE_MS + MARGIN_MS
      own = { version, since: own && isWaiting ? own.since : now(), heardAt: Number.POSITIVE_INFINITY }
    },
    asks() {
      if (!own || counts.rereads < 0) return
      const isLate = Math.min(now(), own.heardAt) - own.since >= PATIENCE_MS - MARGIN_MS
      if (!isLate || now() - own.heardAt > SLOW_MS) return
      own = undefined
      counts.gaps += 1
    },
    read(isAnswered: boolean) {
      counts.failed = !isAnswered
      if (isAnswered) counts.rereads += 1
    },
  }
}
