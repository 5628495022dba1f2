/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead: number | undefined

/** `heardAt` is this machine's time at which the server's clock said `iso`. */
export function syncClock(iso: string, heardAt: number): void {
  ahead = Date.parse(iso) - heardAt
}

/** Timers use the server's clock, because a machine's own may be wrong. */
export const serverNow = (): number => Date.now() + (ahead ?? 0)

export const isClockKnown = (): boolean => ahead !== undefined
