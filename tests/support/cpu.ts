const spent = () => process.cpuUsage().user / 1_000

/** How many milliseconds of a processor something takes: what else a busy machine does meanwhile does not count. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = spent()
  await work()
  return spent() - before
}

/** The longest time that something kept a processor without letting the event loop have its turn. */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, spent()]
  const look = () => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
  }
  const looking = setInterval(look, 1)
  await work()
  clearInterval(looking)
  look()
  return longest
}
