import { log } from '../../log'
import { unlessUnavailable } from '../errors'
import { type Found, type Joined, standing } from './lookup'
import type { Relay } from './relay'

const EVERY_MS = 1_500
/** Nobody hears a board for longer than this after the last look. */
const TRUSTED_MS = 4_000

type Looker = {
  joined(): Joined | undefined
  settle(found: Found, asked: Joined): void
}

/** Asks the database at intervals, in one query, what the sockets missed; whatever was lost on the way is made up for. */
export function createLook(relay: Relay, { joined, settle }: Looker) {
  let trustedUntil = performance.now() + TRUSTED_MS
  let timer: Timer | undefined
  let isStopped = false

  async function look() {
    const sent = performance.now()
    const asked = joined()
    if (asked) settle((await relay.look(standing(asked))) as Found, asked)
    trustedUntil = Math.max(trustedUntil, sent + TRUSTED_MS)
  }

  function again() {
    const began = performance.now()
    const next = () => {
      if (!isStopped) timer = setTimeout(again, Math.max(0, began + EVERY_MS - performance.now()))
    }
    look()
      .catch(unlessUnavailable((error) => log.error('what sockets missed could not be read', {}, error)))
      .finally(next)
  }

  return {
    look,
    start: again,
    isTrusted: () => !relay.echoes || performance.now() < trustedUntil,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
