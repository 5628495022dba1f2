const faults: string[] = []
const say = console.error

// A fault of ours is logged, and answered with a 500, in one place: src/server/errors.ts.
console.error = (...said: unknown[]) => {
  if (String(said[0]).startsWith('fault '))
    faults.push(said.map((one) => (one instanceof Error ? one.message : String(one))).join(' '))
  say(...said)
}

/** The faults that were logged since this was last asked. */
export const takeFaults = (): string[] => faults.splice(0)
