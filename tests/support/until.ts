/** No test waits this long unless it is about to fail. */
const GUARD = 10_000

/** Asks again and again until there is an answer that is neither undefined nor false; fails, saying what it waited for. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + GUARD
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`it did not come to this: ${what}`)
    await Bun.sleep(5)
  }
}
