import type { Call } from '../calls'
import { refusalOf } from '../refusal'
import type { Made } from './changeKinds'

type Row = { revision: number }

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
    if (!current || fields.some((field) => (current[field] ?? null) !== (base[field] ?? null))) throw error
    return upon({ ...base, revision: current.revision }, fields, { context }, {}, send)
  }
}

export const isOvertaken = (error: unknown): boolean => refusalOf(error)?.current !== undefined
