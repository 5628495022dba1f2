import { ConfigError } from '../../../config'
import { CannotOpen } from '../../../db/database'

export type Finding = { check: string; state: 'ok' | 'failed' | 'not used'; says: string; todo?: string }

/** A check that fails: what is wrong, and what to do. */
export class Ailment extends Error {
  constructor(
    says: string,
    readonly todo: string,
  ) {
    super(says)
  }
}

export const NOT_USED = { notUsed: true } as const

/** `run` says what it found, or that there is nothing to check; whatever it throws is a failure, for which `todo` helps. */
export async function examine(check: string, run: () => Promise<string | typeof NOT_USED>, todo: string): Promise<Finding> {
  try {
    const says = await run()
    return says === NOT_USED ? { check, state: 'not used', says: 'not set up' } : { check, state: 'ok', says: String(says) }
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    // These say themselves what to do.
    if (error instanceof CannotOpen || error instanceof ConfigError) return { check, state: 'failed', says }
    return { check, state: 'failed', says, todo: error instanceof Ailment ? error.todo : todo }
  }
}
