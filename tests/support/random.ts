const SEED = Number(process.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
const announced = new Set<string>()

/** What a test draws by lot, or each of its parts: the same again under the SEED that it prints, whatever runs beside it. */
export function random(what: string, part = '') {
  if (!announced.has(what)) console.info(`SEED=${SEED} draws ${what} again`)
  announced.add(what)
  let state = Number(Bun.hash.xxHash32(what + part, SEED >>> 0))
  // mulberry32
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from 0 up to, but not including, `end`. */
  const below = (end: number) => Math.floor(fraction() * end)
  return {
    below,
    oneOf<T>(things: readonly T[]): T {
      const [thing] = things.slice(below(things.length))
      if (thing === undefined) throw new Error('there is nothing to draw from')
      return thing
    },
    shuffled: <T>(things: readonly T[]): T[] =>
      things
        .map((thing) => ({ thing, place: fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ thing }) => thing),
  }
}
