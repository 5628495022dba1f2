import type { Call } from '../client'
import { reasonOr, refusalOf } from '../refusal'
import type { Made } from './changeKinds'

export type Row = { revision: number }

/**
 * Sends a change upon the row that it was made of. Where that has another revision by now but still the same `fields`,
 * it is sent upon the new one. Throws PRECONDITION_FAILED where somebody changed one of them meanwhile.
 */
export async function upon<Base extends Row, Answer>(
  base: Base,
  fields: readonly (keyof Base)[],
  { context }: Call,
  { isForced }: Pick<Made, 'isForced'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  context.ifMatch = isForced ? undefined : base.revision
  try {
    return await send()
  } catch (error) {
    // The row as it is now, which the server sends along.
    const current = refusalOf(error)?.current as Base | undefined
    if (!current || fields.some((field) => !isSame(current[field], base[field]))) throw error
    return upon({ ...base, revision: current.revision }, fields, { context }, {}, send)
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Why something was not taken back. */
export const notUndone = (error: unknown) => ({
  title: 'Not Undone',
  description: isOvertaken(error) ? 'Somebody changed this since.' : reasonOr(error, 'Could not undo this. Please try again.'),
})

export const isOvertaken = (error: unknown): boolean => refusalOf(error)?.current !== undefined
