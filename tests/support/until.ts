/** Nothing that comes takes this long, however busy the machine. */
export const GUARD = 60_000
/** At first, and at most: who asks a server may do so 600 times a minute. */
const [SOON, LATER] = [5, 40]
/** What a test may take on a busy machine: whatever does not come fails earlier, with a clear text. */
export const PATIENCE = 120_000

type Found<T> = T | undefined | false

/** Asks again and again until there is an answer that is neither undefined nor false; fails, saying what it waited for. */
export async function until<T>(what: string, ask: () => Found<T> | Promise<Found<T>>): Promise<T> {
  const end = Date.now() + GUARD
  for (let pause = SOON; ; pause = Math.min(LATER, pause * 1.1)) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`it did not come to this: ${what}`)
    await Bun.sleep(pause)
  }
}

/** Something that happens again and again, for which one can wait without asking. */
export function happenings() {
  let next = Promise.withResolvers<void>()
  return {
    happen() {
      next.resolve()
      next = Promise.withResolvers()
    },
    /** Looks whenever something has happened, as `until` does; fails with what `missing` says then. */
    async until<T>(look: () => Found<T> | Promise<Found<T>>, missing: () => string): Promise<T> {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error(missing())), GUARD)
      try {
        for (let more = next.promise; ; more = next.promise) {
          const seen = await look()
          if (seen !== undefined && seen !== false) return seen
          await Promise.race([more, late.promise])
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** On a slow machine a lock may be awaited for too long: the answer is then 503, and the client asks again. */
export async function onceAnswered<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}
