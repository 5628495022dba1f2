import type { Call } from '../client'
import { serverNow } from '../serverClock'
import { resolved } from './aliases'
import { kindOf } from './changeKinds'
import { ownerOfChanges } from './kept'
import type { Pending } from './pending'

const ANSWER_WITHIN_MS = 10_000

/** Less than the server remembers the keys of changes. */
const SAFE_TO_REPEAT_MS = 23 * 60 * 60_000
const TOO_OLD = 'This waited for a day, and may have been saved the first time. Have a look, and try again.'

/** Sends a change once; `version` is that of the board since. */
export async function attempt({ name, key, input, ...made }: Pending) {
  const kind = kindOf(name)
  if (!kind) throw new Error(`there is no change called ${name}`)
  // A kind gets what it was submitted with.
  const given = resolved(kind.needs?.(input as never) ?? input)
  if (!given.isComplete) throw new Error('What this belongs to was not saved.')
  if (!made.isForced && serverNow() - made.at > SAFE_TO_REPEAT_MS) throw new Error(TOO_OLD)
  const call: Call = { context: { key, userId: ownerOfChanges() }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
  const answer = await kind.send(given.input as never, call, made)
  return { answer, version: call.context.version }
}
